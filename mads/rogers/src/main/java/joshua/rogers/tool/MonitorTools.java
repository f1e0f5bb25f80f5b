package joshua.rogers.tool;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.state.Database;
import org.jspecify.annotations.Nullable;

/** The tools of Rogers alone: participants and message counts. */
public final class MonitorTools {
  private static final int MAX_ROWS = 10_000;
  private static final int MAX_BYTES = 2 * 1024 * 1024;
  private static final int OVERHEAD_BYTES = 1_000;
  private static final List<String> STATS_COLUMNS =
      List.of("hour_timestamp", "sender_id", "topic_pattern");

  private static final String CONNECTIONS =
      """
      select mad_id, status, cause, why, connected_at, last_heartbeat, via, version, instances,
        strftime('%Y-%m-%dT%H:%M:%fZ', since_at / 1000.0, 'unixepoch') as since_at
      from connections
      where (?1 is null or status = ?1) and (?2 is null or mad_id = ?2)
      order by case status when 'HEALTHY' then 0 when 'CONNECTED' then 1 when 'STALE' then 2
        else 3 end, mad_id
      """;

  private static final String STATS =
      """
      select
        case when ?1 then strftime('%Y-%m-%dT%H:%M:%fZ', hour_at / 1000.0, 'unixepoch') end
          as hour_timestamp,
        case when ?2 then sender_id end as sender_id,
        case when ?3 then topic_pattern end as topic_pattern,
        sum(messages) as message_count, count(*) over () as number
      from traffic
      where (?4 is null or hour_at >= ?4) and (?5 is null or sender_id = ?5)
        and (?6 is null or topic_pattern = ?6)
      group by 1, 2, 3 order by 1 desc, 4 desc, 2, 3 limit ?7
      """;

  private MonitorTools() {}

  public static List<Tool<?>> of(Database database, InstantSource time) {
    return List.of(
        tool(
            "rogers_get_connections",
            "Who is on the bus",
            "Lists the participants of the bus, each with its state and why it is in it: HEALTHY"
                + " (beats, or a relay speaks for it), CONNECTED (heard, never beat), STALE"
                + " (silent), DISCONNECTED (left, or silent for long).",
            ConnectionsInput.class,
            Connections.class,
            (input, call) -> connections(database, input, call)),
        tool(
            "rogers_get_stats",
            "Message counts",
            "Counts messages by UTC hour, sender and kind of channel (topic_pattern), the newest"
                + " hour first. Sender ? is whoever sent what can't be read, * those beyond the"
                + " limit.",
            StatsInput.class,
            Stats.class,
            (input, call) -> stats(database, time.instant(), input, call)));
  }

  private static <I extends Record> Tool<I> tool(
      String name,
      String title,
      String description,
      Class<I> input,
      Class<? extends Record> output,
      BiFunction<I, ToolCall, ToolResult> function) {
    return new Tool<>(
        name,
        title,
        description,
        input,
        output,
        Tool.Audience.MODEL,
        Role.VIEWER,
        ToolHints.READS,
        (arguments, call) -> call.runBlocking(() -> function.apply(arguments, call)));
  }

  record ConnectionsInput(
      @SchemaHint(
              pattern = "^(HEALTHY|CONNECTED|STALE|DISCONNECTED)$",
              rule = "must be one of HEALTHY, CONNECTED, STALE, DISCONNECTED")
          @Nullable String status,
      @SchemaHint("One of them alone") @Nullable String madId) {}

  /** The participants, healthy ones first. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Connections(
      String status,
      @SchemaHint("mad_id, status, cause, why, connected_at, last_heartbeat, since_at, via, …")
          List<ObjectNode> connections,
      @SchemaHint("So many more there is no room for; ask for a status")
          @Nullable Integer leftOut) {}

  /** The participants of the bus (REQ-RG-11, REQ-RG-14). */
  private static ToolResult connections(Database database, ConnectionsInput input, ToolCall call) {
    ArrayNode rows = database.read(tx -> tx.table(CONNECTIONS, input.status(), input.madId()));
    for (JsonNode row : rows) {
      byte[] instances = row.path("instances").asText().getBytes(UTF_8);
      ((ObjectNode) row).set("instances", Json.parseTrusted(instances));
    }
    List<ObjectNode> fitting = fitting(rows, call);
    return new ToolResult.Success(
        new Connections("success", fitting, leftOut(rows.size(), fitting)));
  }

  record StatsInput(
      @SchemaHint(value = "This hour and those before it, so many in all", min = 1, max = 87_600)
          @Nullable Integer hours,
      @Nullable String senderId,
      @SchemaHint(
              pattern = "^mad[.](direct|topic|broadcast|stream|system|other)$",
              rule =
                  "must be one of mad.direct, mad.topic, mad.broadcast, mad.stream, mad.system,"
                      + " mad.other")
          @Nullable String topicPattern,
      @SchemaHint(
              value =
                  "Of hour_timestamp, sender_id, topic_pattern; the others are summed up, and null",
              example = "[\"sender_id\"]")
          @Nullable List<String> groupBy) {}

  /** The counts, the newest hour first. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Stats(
      String status,
      @SchemaHint("hour_timestamp, sender_id, topic_pattern, message_count") List<ObjectNode> stats,
      @SchemaHint("When counts are incomplete") List<String> caveats,
      @SchemaHint("So many rows more there is no room for") @Nullable Integer leftOut) {}

  /** The counts of messages (REQ-RG-11, REQ-RG-15). */
  private static ToolResult stats(Database database, Instant now, StatsInput input, ToolCall call) {
    List<String> by = Objects.requireNonNullElse(input.groupBy(), STATS_COLUMNS);
    if (!STATS_COLUMNS.containsAll(by)) {
      String rule = "must be some of %s, for example [\"sender_id\"]".formatted(STATS_COLUMNS);
      return new ToolResult.Refused(Refusal.invalidInput("group_by", rule));
    }
    Instant thisHour = now.truncatedTo(ChronoUnit.HOURS);
    Instant since =
        input.hours() == null ? null : thisHour.minus(Duration.ofHours(input.hours() - 1L));
    ArrayNode rows =
        database.read(tx ->
            tx.table(
                STATS,
                by.contains("hour_timestamp"),
                by.contains("sender_id"),
                by.contains("topic_pattern"),
                since,
                input.senderId(),
                input.topicPattern(),
                MAX_ROWS));
    int number = rows.path(0).path("number").asInt(); // of all, not of the first ones
    rows.forEach(row -> ((ObjectNode) row).remove("number"));
    List<ObjectNode> fitting = fitting(rows, call);
    List<String> caveats = CoverageCaveats.of(database, since, null);
    return new ToolResult.Success(new Stats("success", fitting, caveats, leftOut(number, fitting)));
  }

  /** The rows that fit into an answer. */
  private static List<ObjectNode> fitting(ArrayNode all, ToolCall call) {
    int room = Math.min(call.context().preferredMaxBytes(), MAX_BYTES) - OVERHEAD_BYTES;
    List<ObjectNode> rows = new ArrayList<>();
    for (JsonNode row : all) {
      room -= Json.bytes(row).length + 1;
      if (room < 0 && !rows.isEmpty()) {
        break;
      }
      rows.add((ObjectNode) row);
    }
    return rows;
  }

  /** The number of rows that don't fit; null for none. */
  private static @Nullable Integer leftOut(int all, List<ObjectNode> fitting) {
    return all == fitting.size() ? null : all - fitting.size();
  }
}
