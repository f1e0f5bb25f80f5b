package joshua.horace.document;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import joshua.horace.change.ChangeLog;
import joshua.horace.change.ChangeLog.Kind;
import joshua.horace.change.Refused;
import joshua.horace.change.Request;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.kernel.SpellingSuggestion;
import joshua.kernel.Timestamps;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The versions of documents; methods run in the caller's transaction. Nothing is overwritten that
 * its author hasn't seen.
 */
record VersionStore(Locks locks, int keptVersions) {
  static final String DELETE = "delete";
  static final String VERSION = "version";
  private static final int MAX_BYTES = 4 * 1024 * 1024;
  private static final int MAX_DOCUMENTS = 20_000; // of a project
  private static final int MAX_PATH = 300;
  private static final String SEGMENT = "(?![- ])(?!\\.+(/|$))[\\p{L}\\p{M}\\p{N} ._+@()-]+(?<! )";
  private static final Pattern PATH = Pattern.compile("%s(/%<s){0,9}".formatted(SEGMENT));
  private static final long MAX_HISTORY_BYTES = 32L * 1024 * 1024;

  /** A version of a document, without its content; of a deleted one that is empty. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Version(
      long version,
      @JsonIgnore String action,
      Format format,
      long bytes,
      String author,
      @Nullable String note,
      Instant at,
      @JsonIgnore String content) {
    @JsonIgnore
    boolean isDeleted() {
      return action.equals(DELETE);
    }
  }

  /**
   * A version to be, and what its writer knows.
   *
   * @param expected the version that it has seen; 0 for a document that must not be there
   * @param overwrite whether it needs to have seen none
   * @param fence of its lock
   */
  record Draft(
      String path,
      String action,
      Format format,
      String content,
      @Nullable Long expected,
      boolean overwrite,
      @Nullable Long fence,
      @Nullable String note) {
    static Draft of(String path, String action, Format format, String content, boolean overwrite) {
      return new Draft(path, action, format, content, null, overwrite, null, null);
    }

    Draft by(@Nullable Long seen, @Nullable Long itsFence, @Nullable String why) {
      return new Draft(path, action, format, content, seen, overwrite, itsFence, why);
    }
  }

  /** Whether it is a path; paths are names, and never those of a file system. */
  static boolean isPath(String path) {
    return path.length() <= MAX_PATH && PATH.matcher(path).matches();
  }

  static String requirePath(String path) {
    if (!isPath(path)) {
      throw Refused.invalid(
          "path must be like progress/plan.md: letters, digits and ._+@()- in 1 to 10 segments that"
              + " don't begin with - and aren't dots alone, and of %d characters at most",
          MAX_PATH);
    }
    return path;
  }

  /** The current version of a document, which isn't a deletion. */
  static Optional<Version> find(Transaction tx, String project, String path) {
    return find(tx, project, path, null).filter(it -> !it.isDeleted());
  }

  /** A version of a document, or the current one, which may be a deletion. */
  static Optional<Version> find(
      Transaction tx, String project, String path, @Nullable Long version) {
    String find =
        """
        select version, action, format, bytes, author, note, at, content from document_version
        where project = ?1 and path = ?2 and version = coalesce(?3,
          (select version from document where project = ?1 and path = ?2))
        """;
    return tx.row(Version.class, find, project, path, version);
  }

  /** A version of a document that isn't a deletion, or the current one. */
  static Version require(Transaction tx, Request by, String path, @Nullable Long version) {
    Optional<Version> found = find(tx, by.project(), path, version);
    return found
        .filter(it -> !it.isDeleted())
        .orElseThrow(() ->
            version == null
                ? notFound(tx, by, path)
                : Refused.notFound(
                    "Version %d of %s %s; document_history lists what is kept.",
                    version, path, found.isEmpty() ? "isn't kept" : "is its deletion"));
  }

  /** The refusal of a path that has no document, with that which is meant perhaps. */
  static Refused notFound(Transaction tx, Request by, String path) {
    Optional<Version> last = find(tx, by.project(), path, null);
    if (last.isPresent()) {
      return Refused.notFound(
          "%s was deleted by %s at %s; document_write with restore_version %d brings it back."
              .formatted(
                  path,
                  last.get().author(),
                  Timestamps.format(last.get().at()),
                  last.get().version() - 1));
    }
    String paths = "select path from document where project = ? and deleted = 0 limit 1000";
    List<String> there = tx.rows(String.class, paths, by.project());
    return Refused.notFound(
        "There is no document %s in the project %s%s.",
        path, by.project(), SpellingSuggestion.question(path, there));
  }

  /** Writes a version, or says why not. */
  ObjectNode put(Transaction tx, Request by, Draft draft) {
    String path = draft.path();
    Optional<Version> head = find(tx, by.project(), path, null);
    locks.require(tx, by, path, draft.fence());
    long version = head.map(Version::version).orElse(0L);
    Version there = head.filter(it -> !it.isDeleted()).orElse(null);
    if (there != null && isRepeated(there, by, draft)) {
      return by.answer().put("path", path).put("version", version).put("unchanged", true);
    }
    int bytes = draft.content().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      throw Refused.tooLarge(
          "%s would have %d bytes, and %d is the most. Begin another document.",
          path, bytes, MAX_BYTES);
    }
    String count = "select count(*) from document where project = ? and deleted = 0";
    if (there == null && tx.number(count, by.project()) >= MAX_DOCUMENTS) {
      throw Refused.of(
          ErrorCode.OVERLOADED,
          "The project %s has %d documents, the most there may be; delete some.",
          by.project(),
          MAX_DOCUMENTS);
    }
    Long expected = draft.expected();
    if (there == null && expected != null && expected != 0) {
      String sentence =
          "There is no document %s, and you expected version %d of it.".formatted(path, expected);
      Refusal refusal = Refusal.of(ErrorCode.CONFLICT, sentence);
      throw new Refused(refusal.with(VERSION, LongNode.valueOf(0)));
    } else if (there != null
        && !(expected == null ? draft.overwrite() : expected == there.version())) {
      throw conflict(path, there, expected);
    }
    return store(tx, by, draft, version + 1, bytes);
  }

  /** Whether the content is there already, perhaps by the first of two equal calls. */
  private static boolean isRepeated(Version head, Request by, Draft draft) {
    Long expected = draft.expected();
    return head.content().equals(draft.content())
        && head.format() == draft.format()
        && !draft.action().equals(DELETE)
        && (expected == null
            || expected == head.version()
            || (expected == head.version() - 1 && head.author().equals(by.author()) && by.named()));
  }

  private static Refused conflict(String path, Version there, @Nullable Long expected) {
    String at = Timestamps.format(there.at());
    String note = there.note() == null ? "" : " (\"%s\")".formatted(there.note());
    String you =
        expected == null
            ? "you gave no expected_version"
            : expected == 0 ? "you expected none" : "you expected version " + expected;
    String sentence =
        ("%s is at version %d, written by %s at %s%s; %s. Nothing was written. Read it again,"
                + " or change a part with document_edit.")
            .formatted(path, there.version(), there.author(), at, note, you);
    return new Refused(
        Refusal.of(ErrorCode.CONFLICT, sentence)
            .with(VERSION, LongNode.valueOf(there.version()))
            .with("author", TextNode.valueOf(there.author()))
            .with("at", TextNode.valueOf(at)));
  }

  private ObjectNode store(Transaction tx, Request by, Draft draft, long version, int bytes) {
    String path = draft.path();
    String action = draft.action();
    String note = draft.note();
    long change = ChangeLog.add(tx, by, Kind.DOCUMENT, path, version, action, note, null);
    @Nullable Object[] row = {
      by.project(),
      path,
      version,
      action,
      draft.format(),
      bytes,
      by.author(),
      note,
      change,
      by.at(),
      draft.content()
    };
    tx.update("insert into document_version values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row);
    Object[] head = {by.project(), path, version, action.equals(DELETE)};
    tx.update("insert or replace into document values (?, ?, ?, ?)", head);
    if (version > 2) {
      forgetOld(tx, by.project(), path, version);
    }
    return by.changed(change).put("path", path).put(VERSION, version).put("bytes", bytes);
  }

  /** Deletes versions beyond those that are kept, but for the last two and those of snapshots. */
  private void forgetOld(Transaction tx, String project, String path, long version) {
    Object[] values = {project, path, version, keptVersions, MAX_HISTORY_BYTES};
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
        values);
  }
}
