package joshua.horace.change;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import joshua.horace.change.Request.Scope;
import joshua.network.SchemaHint;
import joshua.state.Database;
import joshua.state.Migration;
import joshua.state.Pulse;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The changes of all projects, whose numbers are their only order; static methods run in the
 * caller's transaction; whoever missed what was announced reads them here.
 */
public record ChangeLog(Database database, Pulse pulse) {
  public static final List<Migration> MIGRATIONS =
      Migration.load(ChangeLog.class, "0001-projects.sql");

  private static final int MAX_CHANGES = 100_000;
  private static final int DEFAULT_LIMIT = 100;

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
      Transaction tx, Request by, Kind kind, String subject, String action, @Nullable String note) {
    return add(tx, by, kind, subject, null, action, note, null);
  }

  /** Adds a change, and returns its number. */
  public static long add(
      Transaction tx,
      Request by,
      Kind kind,
      String subject,
      @Nullable Long version,
      String action,
      @Nullable String note,
      @Nullable ObjectNode detail) {
    String json = detail == null ? null : detail.toString();
    @Nullable Object[] row = {
      by.project(),
      kind.word(),
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
    String delete =
        """
        delete from change where seq < (select seq from announced)
          and (at < ? or seq <= (select max(seq) - ? from change))
        """;
    tx.update(delete, now.minus(kept), MAX_CHANGES);
  }

  /** What changes are of. */
  public enum Kind {
    DOCUMENT,
    LOCK,
    PROJECT,
    CHECKPOINT,
    DECISION,
    THINKING,
    SNAPSHOT;

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public record Input(
      @SchemaHint(value = "last of an earlier answer; the newest if left out", min = 0)
          @Nullable Long since,
      @Nullable Kind kind,
      @SchemaHint("Of one document or checkpoint") @Nullable String subject,
      @SchemaHint(value = "How long to wait for a change", min = 0, max = 60_000)
          @Nullable Integer waitMs,
      @SchemaHint(value = "100 if left out", min = 1, max = 1_000) @Nullable Integer limit,
      @JsonUnwrapped Scope scope)
      implements Request.Input {
    private @Nullable String word() {
      return kind == null ? null : kind.word();
    }

    private int most() {
      return requireNonNullElse(limit, DEFAULT_LIMIT);
    }
  }

  /** Reads changes, and waits for one if there is none yet. */
  public ObjectNode read(Request by, Input input) throws InterruptedException {
    long end = System.nanoTime() + requireNonNullElse(input.waitMs(), 0) * 1_000_000L;
    long since = input.since() == null ? database.read(tx -> newest(tx, by, input)) : input.since();
    while (true) {
      long seen = pulse.changes();
      ObjectNode answer = database.read(tx -> page(tx, by, input, since));
      Duration left = Duration.ofNanos(end - System.nanoTime());
      if (!answer.path("changes").isEmpty() || answer.has("gap") || !left.isPositive()) {
        return answer;
      }
      pulse.await(seen, left);
    }
  }

  /** The number before the newest changes. */
  private static long newest(Transaction tx, Request by, Input input) {
    @Nullable Object[] asked = {by.project(), input.word(), input.subject(), input.most()};
    return tx.number(
        """
        select coalesce(min(seq), 1) - 1 from (
          select seq from change
          where project = ?1 and (?2 is null or kind = ?2) and (?3 is null or subject = ?3)
          order by seq desc limit ?4)
        """,
        asked);
  }

  private static ObjectNode page(Transaction tx, Request by, Input input, long since) {
    @Nullable Object[] asked = {since, by.project(), input.word(), input.subject(), input.most()};
    List<Change> all = after(tx, asked);
    ObjectNode answer = by.answer();
    int shown = by.fit(answer, "changes", all, input.most()).size();
    boolean whole = shown == all.size() && shown < input.most();
    long newest = tx.number("select coalesce(max(seq), 0) from change");
    long last = shown == 0 ? since : all.get(shown - 1).change();
    answer.put("last", whole ? Math.max(last, newest) : last).put("more", !whole);
    if (since > newest) { // as after a backup has been restored
      answer.put("last", newest);
      answer.put(
          "gap", "There are only %d changes here, so since is of another time.".formatted(newest));
    } else if (since < tx.number("select coalesce(min(seq), 1) - 1 from change")) {
      answer.put("gap", "Changes after %d aren't all kept any more.".formatted(since));
    }
    return answer;
  }
}
