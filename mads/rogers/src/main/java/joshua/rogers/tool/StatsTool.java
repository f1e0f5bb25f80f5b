package joshua.rogers.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Json;
import joshua.network.Tool;
import joshua.network.ToolAnnotations;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;
import joshua.rogers.store.NamedSql;
import joshua.state.Database;
import joshua.state.StoreUnavailableException;
import joshua.tasks.model.QueryFilter;
import joshua.tasks.tool.TaskTool;
import org.jspecify.annotations.Nullable;

/**
 * {@code rogers_get_stats}: messages by hour, sender and kind of channel (REQ-RG-11, REQ-RG-15).
 */
public final class StatsTool {
  /** The most rows returned at once. */
  static final int MOST = 10_000;

  private static final List<String> COLUMNS =
      List.of("hour_timestamp", "sender_id", "topic_pattern");

  public static final ToolSpec SPEC =
      new ToolSpec(
          "rogers_get_stats",
          "Message counts",
          "Counts messages by UTC hour, sender and kind of channel (topic_pattern), newest hour"
              + " first. hours: the current hour and those before it, so many in all. group_by sums"
              + " up over what it doesn't name, which is null then. Malformed messages are counted"
              + " under sender ?, names beyond the limit under *. not_seen lists when Rogers wasn't"
              + " watching: counts of that time are incomplete, not zero.",
          Json.object(
              """
              {"type":"object","additionalProperties":false,"properties":{
                "hours":{"anyOf":[{"type":"integer","minimum":1,"maximum":87600},{"type":"null"}]},
                "sender_id":{"anyOf":[{"type":"string","pattern":"^([A-Za-z0-9][A-Za-z0-9._:-]{0,127}|[?*])$"},{"type":"null"}]},
                "topic_pattern":{"enum":["mad.direct","mad.topic","mad.broadcast","mad.stream","mad.system","mad.other",null]},
                "group_by":{"anyOf":[
                  {"enum":["hour_timestamp","sender_id","topic_pattern",null]},
                  {"type":"array","uniqueItems":true,"items":{"enum":["hour_timestamp","sender_id","topic_pattern"]}}]}}}\
              """),
          Json.object(
              """
              {"type":"object","required":["status","stats"],"properties":{
                "status":{"const":"success"},
                "stats":{"type":"array","items":{"type":"object","required":["hour_timestamp","sender_id","topic_pattern","message_count"]}},
                "not_seen":{"type":"array","items":{"type":"object"}},
                "left_out":{"type":"integer"}}}\
              """),
          new ToolAnnotations(true, false, true, false));

  private static final NamedSql NOT_SEEN =
      NamedSql.of(
          """
          select since, until, reason, missed from not_seen
          where coalesce(until, '9999') > coalesce(:since, '') order by since desc limit 1000
          """);

  private StatsTool() {}

  public static Tool on(Database database, InstantSource time) {
    return new TaskTool(SPEC, call -> new ToolResult.Success(count(call.input(), database, time)));
  }

  static ObjectNode count(ObjectNode input, Database database, InstantSource time)
      throws StoreUnavailableException, InterruptedException {
    String since = since(input.path("hours"), time.instant());
    ArrayNode rows =
        NamedSql.of(grouped(input.path("group_by")))
            .rows(
                database,
                name ->
                    switch (name) {
                      case "since" -> since;
                      case "sender" -> text(input.path("sender_id"));
                      case "topic" -> text(input.path("topic_pattern"));
                      default -> MOST;
                    });
    int beyond = 0;
    for (JsonNode row : rows) {
      beyond = Math.max(beyond, row.path("beyond").asInt());
      ((ObjectNode) row).remove("beyond");
    }
    ObjectNode answer = Json.object().put("status", "success");
    answer.set("stats", rows);
    answer.set("not_seen", NOT_SEEN.rows(database, _ -> since));
    return beyond > 0 ? answer.put("left_out", beyond) : answer;
  }

  private static @Nullable String since(JsonNode hours, Instant now) {
    return hours.isNumber()
        ? QueryFilter.stored(
            now.truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(hours.asInt() - 1L)))
        : null;
  }

  private static @Nullable String text(JsonNode value) {
    return value.isTextual() ? value.asText() : null;
  }

  private static String grouped(JsonNode by) {
    List<String> named = new ArrayList<>();
    if (by.isArray()) {
      by.forEach(each -> named.add(each.asText()));
    } else if (by.isTextual()) {
      named.add(by.asText());
    } else {
      named.addAll(COLUMNS);
    }
    return """
    select %s as hour_timestamp, %s as sender_id, %s as topic_pattern,
           sum(message_count) as message_count, count(*) over () - :limit as beyond
    from hourly_metrics
    where hour_timestamp >= coalesce(:since, '') and (:sender is null or sender_id = :sender)
      and (:topic is null or topic_pattern = :topic)
    group by 1, 2, 3 order by 1 desc, 4 desc, 2, 3 limit :limit
    """
        .formatted(
            COLUMNS.stream().map(column -> named.contains(column) ? column : "null").toArray());
  }
}
