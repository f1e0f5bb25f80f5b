package joshua.rogers.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import joshua.kernel.Timestamps;
import joshua.state.Database;
import joshua.state.WatchedTime;
import joshua.state.query.NamedQuery;
import org.jspecify.annotations.Nullable;

/** The caveats of incomplete answers: monitoring gaps, and participants and messages left out. */
public final class CoverageCaveats {
  private static final Set<String> PARTICIPANT_QUERIES = Set.of("connections", "changes");
  private static final Set<String> DELIVERY_QUERIES = Set.of("unheard", "losses", "problems");
  private static final Duration RECENT = Duration.ofHours(1);
  private static final String UNJUDGED =
      """
      select coalesce(sum(messages), 0) from incidents where kind = 'unjudged'
        and (?1 is null or last_at >= ?1) and (?2 is null or at < ?2)
      """;

  private final Database database;
  private final BooleanSupplier isFull;

  /** {@code isFull} is whether the registry has no room for some participants. */
  public CoverageCaveats(Database database, BooleanSupplier isFull) {
    this.database = database;
    this.isFull = isFull;
  }

  /** The caveats of the answer to a query with normalized arguments. */
  public List<String> of(NamedQuery query, ObjectNode arguments) {
    List<String> caveats = new ArrayList<>();
    if (isFull.getAsBoolean() && PARTICIPANT_QUERIES.contains(query.name())) {
      caveats.add("There are more participants than Rogers has room for; some aren't listed.");
    }
    if (query.argument("since").isEmpty() && query.argument("at").isEmpty()) {
      return caveats;
    }
    Instant at = time(arguments, "at");
    Instant since = at == null ? time(arguments, "since") : at;
    Instant until = at == null ? time(arguments, "until") : at.plusMillis(1);
    if (DELIVERY_QUERIES.contains(query.name())) {
      long unjudged = database.read(tx -> tx.number(UNJUDGED, since, until));
      if (unjudged > 0) {
        caveats.add(
            "Of %d messages it isn't known whether anybody received them.".formatted(unjudged));
      }
      if (since == null) { // "nothing was lost", soon after a start
        Instant recent = Instant.now().minus(RECENT);
        caveats.addAll(database.read(tx -> WatchedTime.beforeStart(tx, recent, "Rogers")));
      }
    }
    caveats.addAll(of(database, since, until));
    return caveats;
  }

  private static @Nullable Instant time(ObjectNode arguments, String name) {
    return Timestamps.parse(arguments.path(name).asText());
  }

  /** The caveats of a span of time; null where it has no bound. */
  public static List<String> of(
      Database database, @Nullable Instant since, @Nullable Instant until) {
    return database.read(tx -> WatchedTime.caveats(tx, since, until, "Rogers", "watching"));
  }
}
