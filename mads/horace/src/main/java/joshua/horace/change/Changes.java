package joshua.horace.change;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import joshua.horace.change.ChangeLog.Change;
import joshua.kernel.Json;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.ToolResult;
import joshua.state.Database;
import joshua.state.Pulse;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/** The reading of changes, for whoever missed what was announced, or waits for the next. */
public record Changes(Database database, Pulse pulse) {
  private static final int DEFAULT_LIMIT = 100;

  /** The input of {@code project_changes}. */
  public record Input(
      @SchemaHint(value = "last of an earlier answer; the newest if left out", min = 0)
          @Nullable Long since,
      @SchemaHint("document, lock, project, checkpoint, decision, thinking or snapshot")
          @Nullable String kind,
      @SchemaHint("Of one document or checkpoint") @Nullable String subject,
      @SchemaHint(value = "How long to wait for a change", min = 0, max = 60_000)
          @Nullable Integer waitMs,
      @SchemaHint(value = "100 if left out", min = 1, max = 1_000) @Nullable Integer limit,
      @Nullable String project,
      @Name @Nullable String clientId)
      implements Request.Input {}

  /** Reads changes, and waits for one if there is none yet. */
  public ToolResult read(Request by, Input input) throws InterruptedException {
    long end = System.nanoTime() + requireNonNullElse(input.waitMs(), 0) * 1_000_000L;
    long since = input.since() == null ? database.read(tx -> newest(tx, by, input)) : input.since();
    while (true) {
      long seen = pulse.changes();
      ObjectNode answer = database.read(tx -> page(tx, by, input, since));
      Duration left = Duration.ofNanos(end - System.nanoTime());
      if (!answer.path("changes").isEmpty() || !left.isPositive()) {
        return Answer.of(answer);
      }
      pulse.await(seen, left);
    }
  }

  private static int limit(Input input) {
    return requireNonNullElse(input.limit(), DEFAULT_LIMIT);
  }

  /** The number before the newest changes. */
  private static long newest(Transaction tx, Request by, Input input) {
    return tx.number(
        """
        select coalesce(min(seq), 1) - 1 from (
          select seq from change
          where project = ?1 and (?2 is null or kind = ?2) and (?3 is null or subject = ?3)
          order by seq desc limit ?4)
        """,
        by.project(),
        input.kind(),
        input.subject(),
        limit(input));
  }

  private static ObjectNode page(Transaction tx, Request by, Input input, long since) {
    List<Change> all =
        ChangeLog.after(tx, since, by.project(), input.kind(), input.subject(), limit(input));
    ObjectNode answer = Json.object().put("project", by.project());
    ArrayNode shown = answer.putArray("changes");
    int room = by.room();
    long last = since;
    for (Change change : all) {
      ObjectNode row = Json.mapper().valueToTree(change);
      room -= Json.bytes(row).length;
      if (room < 0 && !shown.isEmpty()) {
        break;
      }
      shown.add(row);
      last = change.change();
    }
    boolean whole = shown.size() == all.size() && all.size() < limit(input);
    long newest = tx.number("select coalesce(max(seq), 0) from change");
    answer.put("last", whole ? Math.max(last, newest) : last).put("more", !whole);
    if (since < tx.number("select coalesce(min(seq), 1) - 1 from change")) {
      answer.put("gap", "Changes after %d aren't all kept any more.".formatted(since));
    }
    return answer;
  }
}
