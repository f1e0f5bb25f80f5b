package joshua.horace.document;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import joshua.horace.change.Refused;
import joshua.horace.change.Request;
import joshua.horace.change.Request.Scope;
import joshua.horace.document.VersionStore.Draft;
import joshua.horace.document.VersionStore.Version;
import joshua.kernel.Json;
import joshua.network.SchemaHint;
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

  /** The document that is a project's state. */
  public static final String STATE = "project/state.json";

  /** The document of which checkpoints agents need. */
  public static final String AGENTS = "rules/agents.json";

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
      @JsonUnwrapped Scope scope)
      implements Request.Input {}

  public record Delete(
      String path,
      @SchemaHint(value = "The version that you read", min = 1) long expectedVersion,
      @SchemaHint("Of your lock, if you hold one") @Nullable Long fence,
      @SchemaHint(value = "Why, for others", max = 500) @Nullable String note,
      @JsonUnwrapped Scope scope)
      implements Request.Input {}

  /** The data of a document in JSON or YAML; missing if there is none. */
  public JsonNode data(String project, String path) {
    return rules.data(project, path);
  }

  /** The text of a document; empty if there is none. */
  public String text(String project, String path) {
    return find(project, path).map(Version::content).orElse("");
  }

  /** What is known of a document beside its content; nothing if there is none. */
  public ObjectNode about(String project, String path) {
    return find(project, path)
        .map(it -> Json.mapper().<ObjectNode>valueToTree(it))
        .orElseGet(Json::object);
  }

  private Optional<Version> find(String project, String path) {
    return database.read(tx -> VersionStore.find(tx, project, path));
  }

  public ObjectNode write(Request by, Write input) {
    Object[] given = {input.content(), input.data(), input.restoreVersion()};
    if (Stream.of(given).filter(Objects::nonNull).count() != 1) {
      throw Refused.invalid("content must be given, or data, or restore_version: one of them");
    }
    String path = input.path();
    Format format = requireNonNullElse(input.format(), Format.of(path));
    String content = input.content();
    if (input.restoreVersion() != null) {
      Version old = database.read(tx -> VersionStore.require(tx, by, path, input.restoreVersion()));
      content = old.content();
      format = old.format();
    } else if (input.data() != null) {
      content = format.requireData("data").print(input.data());
    }
    String action = input.restoreVersion() == null ? "write" : "restore";
    boolean overwrite = requireNonNullElse(input.overwrite(), false);
    Draft draft = Draft.of(path, action, format, "" + content, overwrite);
    return put(by, draft.by(input.expectedVersion(), input.fence(), input.note()));
  }

  /** Writes a document, whatever is there. */
  public ObjectNode overwrite(Request by, String path, String content) {
    return put(by, Draft.of(path, "write", Format.of(path), content, true));
  }

  /**
   * The same within a transaction, without the project's rules; {@code seen} as expected_version.
   */
  public ObjectNode overwrite(
      Transaction tx, Request by, String path, Format format, String content, @Nullable Long seen) {
    Draft draft = Draft.of(path, "write", format, content, true);
    return versions.put(tx, by, draft.by(seen, null, null));
  }

  /** Changes a part, whatever else others change meanwhile. */
  public ObjectNode edit(Request by, Edit edit) {
    String path = edit.path();
    // Edits of one document queue up here, so that only a write between causes another round.
    ReentrantLock queue = edits.get(Math.floorMod(path.hashCode(), edits.size()));
    queue.lock();
    try {
      for (int round = 1; ; round++) {
        Optional<Version> now = find(by.project(), path);
        long version = now.map(Version::version).orElse(0L);
        Format format = now.map(Version::format).orElseGet(() -> Format.of(path));
        String old = now.map(Version::content).orElse(null);
        Draft draft = Draft.of(path, "edit", format, edit.apply(format, old), false);
        try {
          ObjectNode answer = put(by, draft.by(version, edit.fence(), edit.note()));
          return edit.losesComments(format, old) ? answer.put("caveat", COMMENTS) : answer;
        } catch (Refused e) {
          if (round == MAX_ROUNDS || !e.refusal().details().containsKey(VersionStore.VERSION)) {
            throw e;
          }
        }
      }
    } finally {
      queue.unlock();
    }
  }

  public ObjectNode delete(Request by, Delete input) {
    String path = input.path();
    if (path.equals(STATE)) {
      rules.require(by.project(), path, Format.JSON, "{}"); // or a phase could begin anew
    }
    Draft draft = Draft.of(path, VersionStore.DELETE, Format.TEXT, "", false);
    return put(by, draft.by(input.expectedVersion(), input.fence(), input.note()));
  }

  private ObjectNode put(Request by, Draft draft) {
    if (!draft.action().equals(VersionStore.DELETE)) {
      require(by, draft.path(), draft.format(), draft.content());
    }
    return Refused.orWritten(database, tx -> versions.put(tx, by, draft));
  }

  /** Refuses a document that its path, its format or the project's rules don't allow. */
  public void require(Request by, String path, Format format, String content) {
    rules.require(by.project(), VersionStore.requirePath(path), format, content);
  }
}
