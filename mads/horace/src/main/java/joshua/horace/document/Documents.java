package joshua.horace.document;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import joshua.horace.change.Answer;
import joshua.horace.change.ChangeLog;
import joshua.horace.change.Request;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.kernel.SpellingSuggestion;
import joshua.kernel.Timestamps;
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

  static final String KIND = "document";
  static final String DELETE = "delete";
  private static final int MAX_BYTES = 4 * 1024 * 1024;
  private static final int MAX_DOCUMENTS = 20_000;
  private static final long MAX_HISTORY_BYTES = 32L * 1024 * 1024;
  private static final int MAX_ROUNDS = 5;
  private static final String COMMENTS = "Comments are not kept when YAML is merged.";

  private final Database database;
  private final Locks locks;
  private final DocumentRules rules;
  private final int keptVersions;
  private final List<ReentrantLock> edits = Stream.generate(ReentrantLock::new).limit(64).toList();

  public Documents(Database database, Locks locks, int keptVersions) {
    this.database = database;
    this.locks = locks;
    this.rules = new DocumentRules(database);
    this.keptVersions = keptVersions;
  }

  Locks locks() {
    return locks;
  }

  /** A version of a document; of a deleted one, the content is empty. */
  record Version(
      long version,
      String action,
      Format format,
      long bytes,
      String author,
      @Nullable String note,
      Instant at,
      String content) {
    boolean isDeleted() {
      return action.equals(DELETE);
    }
  }

  /** A version to be; {@code expected} is 0 for a document that must not be there. */
  record Draft(
      String path,
      String action,
      Format format,
      String content,
      @Nullable Long expected,
      boolean overwrite,
      @Nullable Long fence,
      @Nullable String note,
      boolean losesComments) {}

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

  /** A version of a document, or the current one, which may be a deletion. */
  static Optional<Version> find(
      Transaction tx, String project, String path, @Nullable Long version) {
    return tx.row(
        Version.class,
        """
        select version, action, format, bytes, author, note, at, content from document_version
        where project = ?1 and path = ?2 and version = coalesce(?3,
          (select version from document where project = ?1 and path = ?2))
        """,
        project,
        path,
        version);
  }

  /** The data of a document in JSON or YAML; missing if there is none. */
  public JsonNode data(String project, String path) {
    return rules.data(project, path);
  }

  /** The text of a document; empty if there is none. */
  public String text(String project, String path) {
    return database.read(tx -> find(tx, project, path, null)).map(Version::content).orElse("");
  }

  /** The refusal of a path that has no document, with that which is meant perhaps. */
  static ToolResult notFound(Transaction tx, Request by, String path) {
    List<String> there =
        tx.rows(
            String.class,
            "select path from document where project = ? and deleted = 0 limit 1000",
            by.project());
    String near =
        SpellingSuggestion.nearest(path, there).map(" (did you mean %s?)"::formatted).orElse("");
    return Answer.refused(
        ErrorCode.NOT_FOUND,
        "There is no document %s in the project %s%s.".formatted(path, by.project(), near));
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
          database.read(tx -> find(tx, by.project(), path, input.restoreVersion()));
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
    return put(
        by,
        new Draft(
            path,
            action,
            format,
            requireNonNullElse(content, ""),
            input.expectedVersion(),
            requireNonNullElse(input.overwrite(), false),
            input.fence(),
            input.note(),
            false));
  }

  /** Writes a document, whatever is there. */
  public ToolResult overwrite(Request by, String path, String content) {
    return put(by, overwriting(path, content));
  }

  /** The same within a transaction, without the project's rules. */
  public ToolResult overwrite(Transaction tx, Request by, String path, String content) {
    return put(tx, by, overwriting(path, content));
  }

  private static Draft overwriting(String path, String content) {
    return new Draft(path, "write", Format.of(path), content, null, true, null, null, false);
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
                .read(tx -> find(tx, by.project(), edit.path(), null))
                .filter(it -> !it.isDeleted());
        long version = now.map(Version::version).orElse(0L);
        Format format = now.map(Version::format).orElseGet(() -> Format.of(edit.path()));
        String content = edit.apply(format, now.map(Version::content).orElse(null));
        ToolResult result =
            put(
                by,
                new Draft(
                    edit.path(),
                    "edit",
                    format,
                    content,
                    version,
                    false,
                    edit.fence(),
                    edit.note(),
                    edit.losesComments(format, now.map(Version::content).orElse(null))));
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
    return put(
        by,
        new Draft(
            input.path(),
            DELETE,
            Format.TEXT,
            "",
            input.expectedVersion(),
            false,
            input.fence(),
            input.note(),
            false));
  }

  private ToolResult put(Request by, Draft draft) {
    Optional<Refusal> refusal = refuse(by, draft.path(), draft.format(), draft.content());
    return refusal.isPresent()
        ? new ToolResult.Refused(refusal.get())
        : database.write(tx -> put(tx, by, draft));
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
    return find(tx, by.project(), path, null)
        .filter(it -> !it.isDeleted() && it.content().equals(content))
        .isPresent();
  }

  /** Writes a version, or says why not. */
  ToolResult put(Transaction tx, Request by, Draft draft) {
    Optional<Version> head = find(tx, by.project(), draft.path(), null);
    Optional<Refusal> locked = locks.refuse(tx, by, draft.path(), draft.fence());
    if (locked.isPresent()) {
      return new ToolResult.Refused(locked.get());
    }
    long version = head.map(Version::version).orElse(0L);
    Optional<Version> there = head.filter(it -> !it.isDeleted());
    if (there.filter(it -> isRepeated(it, by, draft)).isPresent()) {
      return Answer.of(by.about(draft.path()).put("version", version).put("unchanged", true));
    }
    return refuse(tx, by, draft, there)
        .<ToolResult>map(ToolResult.Refused::new)
        .orElseGet(() -> store(tx, by, draft, version + 1));
  }

  /** Whether the content is there already, perhaps by the first of two equal calls. */
  private static boolean isRepeated(Version head, Request by, Draft draft) {
    Long expected = draft.expected();
    return head.content().equals(draft.content())
        && !draft.action().equals(DELETE)
        && (expected == null
            || expected == head.version()
            || (expected == head.version() - 1
                && head.author().equals(by.author())
                && !by.author().equals(Request.NOBODY)));
  }

  private static Optional<Refusal> refuse(
      Transaction tx, Request by, Draft draft, Optional<Version> there) {
    String path = draft.path();
    Long expected = draft.expected();
    int bytes = draft.content().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      String sentence =
          "%s would have %d bytes, and %d is the most. Begin another document."
              .formatted(path, bytes, MAX_BYTES);
      return Optional.of(Refusal.of(ErrorCode.TOO_LARGE, sentence));
    }
    if (there.isPresent()) {
      boolean seen = expected == null ? draft.overwrite() : expected == there.get().version();
      return seen ? Optional.empty() : Optional.of(conflict(path, there.get(), expected));
    }
    if (expected != null && expected != 0) {
      String sentence =
          "There is no document %s, and you expected version %d of it.".formatted(path, expected);
      return Optional.of(
          Refusal.of(ErrorCode.CONFLICT, sentence).with("version", LongNode.valueOf(0)));
    }
    long all =
        tx.number("select count(*) from document where project = ? and deleted = 0", by.project());
    String sentence =
        "The project %s has %d documents, which is the most; delete some, or begin another project."
            .formatted(by.project(), all);
    return all < MAX_DOCUMENTS
        ? Optional.empty()
        : Optional.of(Refusal.of(ErrorCode.OVERLOADED, sentence));
  }

  private static Refusal conflict(String path, Version there, @Nullable Long expected) {
    String at = Timestamps.format(there.at());
    String note = there.note() == null ? "" : " (\"%s\")".formatted(there.note());
    String you =
        expected == null
            ? "you gave no expected_version"
            : expected == 0 ? "you expected none" : "you expected version " + expected;
    return Refusal.of(
            ErrorCode.CONFLICT,
            ("%s is at version %d, written by %s at %s%s; %s. Nothing was written. Read it again,"
                    + " or change a part with document_edit.")
                .formatted(path, there.version(), there.author(), at, note, you))
        .with("version", LongNode.valueOf(there.version()))
        .with("author", TextNode.valueOf(there.author()))
        .with("at", TextNode.valueOf(at));
  }

  private ToolResult store(Transaction tx, Request by, Draft draft, long version) {
    String path = draft.path();
    int bytes = draft.content().getBytes(StandardCharsets.UTF_8).length;
    long change = ChangeLog.add(tx, by, KIND, path, version, draft.action(), draft.note(), null);
    tx.update(
        "insert into document_version values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        by.project(),
        path,
        version,
        draft.action(),
        draft.format(),
        bytes,
        by.author(),
        draft.note(),
        change,
        by.at(),
        draft.content());
    tx.update(
        """
        insert into document values (?, ?, ?, ?) on conflict do update
        set version = excluded.version, deleted = excluded.deleted
        """,
        by.project(),
        path,
        version,
        draft.action().equals(DELETE));
    if (version > 2) {
      forgetOld(tx, by.project(), path, version);
    }
    ObjectNode answer =
        by.changed(change).put("path", path).put("version", version).put("bytes", bytes);
    return Answer.of(draft.losesComments() ? answer.put("caveat", COMMENTS) : answer);
  }

  /** Deletes versions beyond those that are kept, but for the last two and those of snapshots. */
  private void forgetOld(Transaction tx, String project, String path, long version) {
    tx.update(
        """
        delete from document_version
        where project = ?1 and path = ?2 and version < ?3 - 1
          and version <= max(?3 - ?4, coalesce((
            select max(version) from (
              select version, sum(bytes) over (order by version desc) as total
              from document_version where project = ?1 and path = ?2)
            where total > ?5), 0))
          and version not in (
            select max(v.version) from snapshot s join document_version v
              on v.project = s.project and v.path = ?2 and v.change <= s.change
            where s.project = ?1 group by s.id)
        """,
        project,
        path,
        version,
        keptVersions,
        MAX_HISTORY_BYTES);
  }
}
