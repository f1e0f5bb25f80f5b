package joshua.horace.document;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import joshua.horace.change.Answer;
import joshua.horace.change.Request;
import joshua.horace.document.VersionStore.Draft;
import joshua.horace.document.VersionStore.Guard;
import joshua.horace.document.VersionStore.Version;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.ToolResult;
import joshua.state.Database;
import joshua.state.Migration;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The documents of all projects. Each change makes a version, of which the newest are kept; nothing
 * is overwritten that its author hasn't seen.
 */
public final class Documents {
  public static final List<Migration> MIGRATIONS =
      Migration.load(Documents.class, "0002-documents.sql");

  private static final int MAX_ROUNDS = 5;
  private static final String COMMENTS = "Comments are not kept when YAML is merged.";

  private final Database database;
  private final DocumentRules rules;
  private final VersionStore versions;
  private final List<ReentrantLock> edits = Stream.generate(ReentrantLock::new).limit(64).toList();

  public Documents(Database database, Locks locks, int keptVersions) {
    this.database = database;
    this.rules = new DocumentRules(database);
    this.versions = new VersionStore(locks, keptVersions);
  }

  VersionStore versions() {
    return versions;
  }

  /** The input of {@code document_write}. */
  public record Write(
      String path,
      @SchemaHint("The new text; or give data or restore_version") @Nullable String content,
      @SchemaHint(value = "Of JSON or YAML, in place of content", example = "{\"a\":1}")
          @Nullable ObjectNode data,
      @SchemaHint(value = "Write what this version was", min = 1) @Nullable Long restoreVersion,
      @SchemaHint(value = "The version that you read; 0: there must be none", min = 0)
          @Nullable Long expectedVersion,
      @SchemaHint("Write whatever is there") @Nullable Boolean overwrite,
      @SchemaHint("By the path's extension if left out") @Nullable Format format,
      @SchemaHint("Of your lock, if you hold one") @Nullable Long fence,
      @SchemaHint(value = "Why, for others", max = 500) @Nullable String note,
      @Nullable String project,
      @Name @Nullable String clientId)
      implements Request.Input {}

  /** The input of {@code document_delete}. */
  public record Delete(
      String path,
      @SchemaHint(value = "The version that you read", min = 1) long expectedVersion,
      @SchemaHint("Of your lock, if you hold one") @Nullable Long fence,
      @SchemaHint(value = "Why, for others", max = 500) @Nullable String note,
      @Nullable String project,
      @Name @Nullable String clientId)
      implements Request.Input {}

  /** The data of a document in JSON or YAML; missing if there is none. */
  public JsonNode data(String project, String path) {
    return rules.data(project, path);
  }

  /** The text of a document; empty if there is none. */
  public String text(String project, String path) {
    return database
        .read(tx -> VersionStore.find(tx, project, path, null))
        .map(Version::content)
        .orElse("");
  }

  public ToolResult write(Request by, Write input) {
    long given =
        Stream.of(input.content(), input.data(), input.restoreVersion())
            .filter(each -> each != null)
            .count();
    if (given != 1) {
      return Answer.invalid("content", "must be given, or data, or restore_version: one of them");
    }
    String path = input.path();
    Format format = requireNonNullElse(input.format(), Format.of(path));
    String content = input.content();
    if (input.restoreVersion() != null) {
      Optional<Version> old =
          database.read(tx -> VersionStore.find(tx, by.project(), path, input.restoreVersion()));
      if (old.isEmpty() || old.get().isDeleted()) {
        return Answer.refused(
            ErrorCode.NOT_FOUND,
            "Version %d of %s isn't kept; document_history lists what is."
                .formatted(input.restoreVersion(), path));
      }
      content = old.get().content();
      format = old.get().format();
    } else if (input.data() != null) {
      if (!format.hasData()) {
        return Answer.invalid(
            "data", "needs a document in JSON or YAML, by its extension or by format");
      }
      content = format.print(input.data());
    }
    String action = input.restoreVersion() == null ? "write" : "restore";
    boolean overwrite = requireNonNullElse(input.overwrite(), false);
    Guard guard = new Guard(input.expectedVersion(), overwrite, input.fence(), input.note(), null);
    return put(by, new Draft(path, action, format, requireNonNullElse(content, ""), guard));
  }

  /** Writes a document, whatever is there. */
  public ToolResult overwrite(Request by, String path, String content) {
    return put(by, overwriting(path, content));
  }

  /** The same within a transaction, without the project's rules. */
  public ToolResult overwrite(Transaction tx, Request by, String path, String content) {
    return versions.put(tx, by, overwriting(path, content));
  }

  private static Draft overwriting(String path, String content) {
    return new Draft(path, "write", Format.of(path), content, Guard.OVERWRITE);
  }

  /** Changes a part, whatever else others change meanwhile. */
  public ToolResult edit(Request by, Edit edit) {
    // Edits of one document queue up here, so that only a write between causes another round.
    ReentrantLock queue = edits.get(Math.floorMod(edit.path().hashCode(), edits.size()));
    queue.lock();
    try {
      for (int round = 1; ; round++) {
        Optional<Version> now =
            database
                .read(tx -> VersionStore.find(tx, by.project(), edit.path(), null))
                .filter(it -> !it.isDeleted());
        long version = now.map(Version::version).orElse(0L);
        Format format = now.map(Version::format).orElseGet(() -> Format.of(edit.path()));
        String old = now.map(Version::content).orElse(null);
        String content = edit.apply(format, old);
        String caveat = edit.losesComments(format, old) ? COMMENTS : null;
        Guard guard = new Guard(version, false, edit.fence(), edit.note(), caveat);
        ToolResult result = put(by, new Draft(edit.path(), "edit", format, content, guard));
        boolean changed =
            result instanceof ToolResult.Refused(Refusal refusal)
                && refusal.details().containsKey("version");
        if (!changed || round == MAX_ROUNDS) {
          return result;
        }
      }
    } finally {
      queue.unlock();
    }
  }

  public ToolResult delete(Request by, Delete input) {
    Guard guard = new Guard(input.expectedVersion(), false, input.fence(), input.note(), null);
    return put(by, new Draft(input.path(), VersionStore.DELETE, Format.TEXT, "", guard));
  }

  private ToolResult put(Request by, Draft draft) {
    Optional<Refusal> refusal = refuse(by, draft.path(), draft.format(), draft.content());
    return refusal.isPresent()
        ? new ToolResult.Refused(refusal.get())
        : database.write(tx -> versions.put(tx, by, draft));
  }

  /** The refusal of a document that its path, its format or the project's rules don't allow. */
  public Optional<Refusal> refuse(Request by, String path, String content) {
    return refuse(by, path, Format.of(path), content);
  }

  private Optional<Refusal> refuse(Request by, String path, Format format, String content) {
    return DocumentPath.refuse(path)
        .or(() ->
            format.hasData()
                ? rules.refuse(by.project(), path, format.parse(path, content))
                : Optional.empty());
  }

  /** Whether a document has this content. */
  public boolean has(Transaction tx, Request by, String path, String content) {
    return VersionStore.find(tx, by.project(), path, null)
        .filter(it -> !it.isDeleted() && it.content().equals(content))
        .isPresent();
  }
}
