package joshua.horace.change;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import joshua.state.Migration;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The changes of all projects, whose numbers are their only order; methods run in the caller's
 * transaction.
 */
public final class ChangeLog {
  public static final List<Migration> MIGRATIONS =
      Migration.load(ChangeLog.class, "0001-projects.sql");

  private static final int MAX_CHANGES = 100_000;

  private ChangeLog() {}

  /** A change, without what was written. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Change(
      long change,
      String project,
      String kind,
      String subject,
      @Nullable Long version,
      String action,
      String author,
      @Nullable String note,
      @Nullable ObjectNode detail,
      Instant at,
      @JsonIgnore UUID correlation) {}

  /** Adds a change without more, and returns its number. */
  public static long add(
      Transaction tx,
      Request by,
      String kind,
      String subject,
      String action,
      @Nullable String note) {
    return add(tx, by, kind, subject, null, action, note, null);
  }

  /** Adds a change, and returns its number. */
  public static long add(
      Transaction tx,
      Request by,
      String kind,
      String subject,
      @Nullable Long version,
      String action,
      @Nullable String note,
      @Nullable ObjectNode detail) {
    String json = detail == null ? null : detail.toString();
    @Nullable Object[] row = {
      by.project(),
      kind,
      subject,
      version,
      action,
      by.author(),
      note,
      by.correlation(),
      json,
      by.at()
    };
    return tx.number(
        "insert into change values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning seq", row);
  }

  /** The first changes after a number, of a project, a kind and a subject; null for all. */
  static List<Change> after(Transaction tx, @Nullable Object... numberProjectKindSubjectLimit) {
    return tx.rows(
        Change.class,
        """
        select seq, project, kind, subject, version, action, author, note, detail, at, correlation
        from change
        where seq > ?1 and (?2 is null or project = ?2) and (?3 is null or kind = ?3)
          and (?4 is null or subject = ?4)
        order by seq limit ?5
        """,
        numberProjectKindSubjectLimit);
  }

  /** Deletes changes that have been announced and are old, or too many. */
  public static void trim(Transaction tx, Instant now, Duration kept) {
    tx.update(
        """
        delete from change where seq < (select seq from announced)
          and (at < ? or seq <= (select max(seq) - ? from change))
        """,
        now.minus(kept),
        MAX_CHANGES);
  }
}
