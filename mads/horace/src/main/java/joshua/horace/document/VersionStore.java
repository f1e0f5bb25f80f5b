package joshua.horace.document;

import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import joshua.horace.change.Answer;
import joshua.horace.change.ChangeLog;
import joshua.horace.change.Request;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.kernel.SpellingSuggestion;
import joshua.kernel.Timestamps;
import joshua.network.ToolResult;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The versions of documents; methods run in the caller's transaction. Nothing is overwritten that
 * its author hasn't seen.
 */
final class VersionStore {
  static final String DELETE = "delete";
  private static final int MAX_BYTES = 4 * 1024 * 1024;
  private static final int MAX_DOCUMENTS = 20_000;
  private static final long MAX_HISTORY_BYTES = 32L * 1024 * 1024;

  private final Locks locks;
  private final int keptVersions;

  VersionStore(Locks locks, int keptVersions) {
    this.locks = locks;
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

  /** A version to be. */
  record Draft(String path, String action, Format format, String content, Guard guard) {}

  /**
   * What a writer knows.
   *
   * @param expected the version that it has seen; 0 for a document that must not be there
   * @param overwrite whether it needs to have seen none
   * @param fence of its lock
   * @param caveat for its answer
   */
  record Guard(
      @Nullable Long expected,
      boolean overwrite,
      @Nullable Long fence,
      @Nullable String note,
      @Nullable String caveat) {
    static final Guard OVERWRITE = new Guard(null, true, null, null, null);
  }

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

  /** Writes a version, or says why not. */
  ToolResult put(Transaction tx, Request by, Draft draft) {
    Optional<Version> head = find(tx, by.project(), draft.path(), null);
    Optional<Refusal> locked = locks.refuse(tx, by, draft.path(), draft.guard().fence());
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
    Long expected = draft.guard().expected();
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
    Long expected = draft.guard().expected();
    int bytes = draft.content().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      String sentence =
          "%s would have %d bytes, and %d is the most. Begin another document."
              .formatted(path, bytes, MAX_BYTES);
      return Optional.of(Refusal.of(ErrorCode.TOO_LARGE, sentence));
    }
    if (there.isPresent()) {
      boolean seen =
          expected == null ? draft.guard().overwrite() : expected == there.get().version();
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
    long change =
        ChangeLog.add(
            tx, by, "document", path, version, draft.action(), draft.guard().note(), null);
    tx.update(
        "insert into document_version values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        by.project(),
        path,
        version,
        draft.action(),
        draft.format(),
        bytes,
        by.author(),
        draft.guard().note(),
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
    String caveat = draft.guard().caveat();
    return Answer.of(caveat == null ? answer : answer.put("caveat", caveat));
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
