package joshua.rogers.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import joshua.kernel.Json;
import joshua.rogers.alert.SystemEvents;
import joshua.rogers.journal.Journal;
import joshua.rogers.loss.LossReconciler;
import joshua.rogers.presence.ConnectionManager;
import joshua.rogers.presence.ConnectionState;
import joshua.rogers.store.NamedSql;
import joshua.ssh.StateView;
import joshua.state.Database;
import joshua.state.StoreUnavailableException;
import joshua.tasks.model.QueryFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Rogers' live state, as {@code mad-state} shows it: what its parts hold, and what is stored. */
public record LiveStates(
    MetricsCollector collector,
    ConnectionManager connections,
    LossReconciler reconciler,
    Journal journal,
    Database database,
    InstantSource time) {

  private static final Logger log = LoggerFactory.getLogger(LiveStates.class);

  /** A continuing alarm is reported and stored this often; an older one is over. */
  private static final Duration ALARM_LASTS = SystemEvents.QUIET.multipliedBy(2);

  private static final NamedSql TRAFFIC =
      NamedSql.of(
          """
          select (select coalesce(sum(message_count), 0) from hourly_metrics
                  where hour_timestamp = :hour) as messages_this_hour,
                 (select seen_until from watermark) as seen_until
          """);

  private static final NamedSql JOURNAL =
      NamedSql.of(
          """
          select count(*) as messages,
                 (select at from journal order by entry_id limit 1) as oldest,
                 (select at from journal order by entry_id desc limit 1) as newest
          from journal
          """);

  private static final NamedSql ALARMS =
      NamedSql.of(
          """
          select kind, subject, participants, messages, detail, max(at) as last_at from alarms
          where at > :since group by kind, subject order by last_at desc, subject limit 200
          """);

  /** A query of the database. */
  @FunctionalInterface
  private interface Look {
    JsonNode now() throws StoreUnavailableException, InterruptedException;
  }

  public List<StateView> views() {
    return List.of(
        new StateView(
            "traffic",
            "What is counted, how fast it comes, and how far the counts reach.",
            () -> read(this::trafficNow)),
        new StateView("registry", "How many are on the bus, by state.", this::registryNow),
        new StateView("ledgers", "The relays whose ledgers are compared.", this::ledgersNow),
        new StateView(
            "journal",
            "What the journal holds, and what it left out.",
            () -> read(this::journalNow)),
        new StateView(
            "watching", "The storms and loops that go on now.", () -> read(this::alarmsNow)));
  }

  private static JsonNode read(Look look) {
    try {
      return look.now();
    } catch (StoreUnavailableException e) {
      log.warn("the state can't be shown: {}", e.getMessage());
      return Json.object().put("problem", "the database can't be read now; the log says why");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Json.object().put("problem", "it was stopped");
    }
  }

  private JsonNode trafficNow() throws StoreUnavailableException, InterruptedException {
    String hour = QueryFilter.stored(time.instant().truncatedTo(ChronoUnit.HOURS));
    JsonNode kept = TRAFFIC.rows(database, _ -> hour).path(0);
    ObjectNode json = Json.object().put("hour", hour);
    json.set("messages_this_hour", kept.path("messages_this_hour"));
    json.put("messages_per_s", Math.rint(collector.messagesPerSecond() * 10) / 10)
        .put("messages_since_start", collector.messages())
        .put("malformed", collector.malformed())
        .put("missed", collector.missed());
    json.set("seen_until", kept.path("seen_until"));
    return json.put("problem", collector.problem().orElse(null));
  }

  private JsonNode registryNow() {
    ObjectNode json = Json.object();
    int all = 0;
    for (ConnectionState state : ConnectionState.values()) {
      int count = connections.count(state);
      all += count;
      json.put(state.word(), count);
    }
    return json.put("participants", all);
  }

  private JsonNode ledgersNow() {
    ArrayNode all = Json.shared().createArrayNode();
    reconciler.known().forEach(relay -> all.add(relay.json()));
    return all;
  }

  private JsonNode journalNow() throws StoreUnavailableException, InterruptedException {
    JsonNode kept = JOURNAL.rows(database, _ -> null).path(0);
    ObjectNode json = Json.object().put("on", journal.config().on());
    json.set("messages", kept.path("messages"));
    json.put("bytes", journal.bytes())
        .put("limit_bytes", journal.config().bytes())
        .put("left_out", journal.leftOut());
    json.set("oldest", kept.path("oldest"));
    json.set("newest", kept.path("newest"));
    return json;
  }

  private JsonNode alarmsNow() throws StoreUnavailableException, InterruptedException {
    Instant since = time.instant().minus(ALARM_LASTS);
    ArrayNode rows = ALARMS.rows(database, _ -> QueryFilter.stored(since));
    for (JsonNode row : rows) {
      ((ObjectNode) row).set("participants", participants(row.path("participants").asText()));
    }
    return rows;
  }

  private static JsonNode participants(String json) {
    try {
      return Json.parse(json);
    } catch (Json.MalformedJsonException e) {
      throw new IllegalStateException("a list of participants that isn't JSON", e);
    }
  }
}
