package joshua.rogers.tool;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Member;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.state.Database;
import joshua.state.StoreException;
import org.jspecify.annotations.Nullable;

/** {@code rogers_get_stats}: how much was published (REQ-RG-11, REQ-RG-15). */
public final class StatsTool {
  private static final List<String> COLUMNS =
      List.of("hour_timestamp", "sender_id", "topic_pattern");
  static final String KINDS = "^mad[.](direct|topic|broadcast|stream|system|other)$";
  private static final int MOST = 10_000;

  private static final String SELECT =
      """
      select
        case when ?1 then strftime('%Y-%m-%dT%H:%M:%fZ', hour_at / 1000.0, 'unixepoch') end
          as hour_timestamp,
        case when ?2 then sender_id end as sender_id,
        case when ?3 then topic_pattern end as topic_pattern,
        sum(messages) as message_count
      from traffic
      where (?4 is null or hour_at >= ?4) and (?5 is null or sender_id = ?5)
        and (?6 is null or topic_pattern = ?6)
      group by 1, 2, 3 order by 1 desc, 4 desc, 2, 3 limit ?7
      """;

  private final Database database;
  private final NotSeen notSeen;
  private final InstantSource time;

  private StatsTool(Database database, InstantSource time) {
    this.database = database;
    this.notSeen = new NotSeen(database);
    this.time = time;
  }

  /** What to count. */
  record Input(
      @Member(value = "This hour and those before it, so many in all", min = 1, max = 87_600)
          @Nullable Integer hours,
      @Nullable String senderId,
      @Member(
              pattern = KINDS,
              rule =
                  "must be one of mad.direct, mad.topic, mad.broadcast, mad.stream, mad.system,"
                      + " mad.other")
          @Nullable String topicPattern,
      @Member(
              value =
                  "Of hour_timestamp, sender_id, topic_pattern; the others are summed up, and null",
              example = "[\"sender_id\"]")
          @Nullable List<String> groupBy) {}

  /** Counts, the newest hour first. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Output(
      String status,
      @Member("hour_timestamp, sender_id, topic_pattern, message_count") List<ObjectNode> stats,
      @Member("When counts are incomplete") List<String> caveats,
      @Member("So many rows more there is no room for") @Nullable Integer leftOut) {}

  public static Tool<?> of(Database database, InstantSource time) {
    StatsTool stats = new StatsTool(database, time);
    return new Tool<>(
        "rogers_get_stats",
        "Message counts",
        "Counts messages by UTC hour, sender and kind of channel (topic_pattern), the newest hour"
            + " first. Sender ? is whoever sent what can't be read, * those beyond the limit.",
        Input.class,
        Output.class,
        Tool.Audience.MODEL,
        Role.VIEWER,
        ToolHints.READS,
        (input, call) -> call.onThreadOfItsOwn(() -> stats.count(input, call)));
  }

  private ToolResult count(Input input, ToolCall call) {
    List<String> by = Objects.requireNonNullElse(input.groupBy(), COLUMNS);
    if (!COLUMNS.containsAll(by)) {
      return new ToolResult.Refused(
          Refusal.invalidInput(
              "group_by", "must be some of %s, for example [\"sender_id\"]".formatted(COLUMNS)));
    }
    Instant since =
        input.hours() == null
            ? null
            : time.instant()
                .truncatedTo(ChronoUnit.HOURS)
                .minus(Duration.ofHours(input.hours() - 1L));
    try {
      ArrayNode rows =
          database.read(tx ->
              tx.table(
                  SELECT,
                  by.contains(COLUMNS.get(0)),
                  by.contains(COLUMNS.get(1)),
                  by.contains(COLUMNS.get(2)),
                  since,
                  input.senderId(),
                  input.topicPattern(),
                  MOST));
      Fitting fitting = Fitting.of(rows, call);
      return new ToolResult.Success(
          new Output("success", fitting.rows(), notSeen.of(since, null), fitting.leftOut()));
    } catch (StoreException e) {
      return new ToolResult.Refused(e.refusal());
    }
  }
}
