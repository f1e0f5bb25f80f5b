package joshua.rogers;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.conversation.Channel;
import joshua.kernel.Ids;
import joshua.tasks.QueryArguments;
import joshua.tasks.TaskQuerySpecs;
import joshua.thought.QuerySpec;

/** Rogers' whitelist as it reads (REQ-RG-02): the queries about the bus, and those for tasks. */
final class QuerySpecs {
  private static final String MOMENT = QueryArguments.MOMENT;

  private static final QueryArguments ARGUMENTS =
      new QueryArguments(
          Map.of(
              "participant",
              "{\"type\":\"string\",\"pattern\":\"%s\",\"description\":\"a name on the bus\"}"
                  .formatted(Ids.IDENTIFIER_PATTERN),
              "status",
              "{\"enum\":[\"CONNECTED\",\"HEALTHY\",\"STALE\",\"DISCONNECTED\"]}",
              "topic",
              "{\"enum\":[%s]}".formatted(kinds()),
              "kind",
              "{\"enum\":[\"storm\",\"loop\"]}",
              "at",
              MOMENT,
              "since",
              MOMENT,
              "until",
              MOMENT,
              "limit",
              "{\"type\":\"integer\",\"minimum\":1,\"maximum\":%d}"
                  .formatted(QueryArguments.MAX_LIMIT)));

  static final QuerySpec CONNECTIONS =
      about(
          "connections",
          "Who is on the bus now: each participant with its state, why it is in that state, since"
              + " when, and when it was last heard.",
          List.of("participant", "status"),
          List.of("participant", "status", "why", "since", "last_heard"));
  static final QuerySpec COUNT_CONNECTIONS =
      about(
          "count_connections",
          "How many participants there are, by state.",
          List.of("status"),
          List.of("participants", "healthy", "connected", "stale", "disconnected"));
  static final QuerySpec CONNECTIONS_AT =
      required(
          "at",
          about(
              "connections_at",
              "Who was connected at a given moment in the past, and in what state.",
              List.of("at", "participant"),
              List.of("participant", "status", "why", "since")));
  static final QuerySpec CHANGES =
      about(
          "changes",
          "What changed: who joined, left, went stale, came back; newest first.",
          List.of("participant", "since", "until", "limit"),
          List.of("at", "participant", "before", "status", "why"));
  static final QuerySpec SENDERS =
      about(
          "senders",
          "Who sent most: messages by sender, most active first. Counts are by whole hours.",
          List.of("topic", "since", "until", "limit"),
          List.of("sender", "messages", "bytes", "last_hour"));
  static final QuerySpec MESSAGES =
      about(
          "messages",
          "How many messages were sent, altogether. Counts are by whole hours; spans_not_seen is how"
              + " often in that time Rogers wasn't watching, so that messages are missing.",
          List.of("participant", "topic", "since", "until"),
          List.of("messages", "bytes", "senders", "first_hour", "last_hour", "spans_not_seen"));
  static final QuerySpec HOURS =
      about(
          "hours",
          "Messages hour by hour, in UTC, newest first.",
          List.of("participant", "topic", "since", "until"),
          List.of("hour", "messages", "bytes", "spans_not_seen"));
  static final QuerySpec CHANNELS =
      about(
          "channels",
          "Which channels carry most: messages and bytes by channel, busiest first. Counts are by"
              + " whole hours.",
          List.of("since", "until", "limit"),
          List.of("channel", "messages", "bytes"));
  static final QuerySpec LOSSES =
      about(
          "losses",
          "Whether messages were lost, how many, at which hop, and why.",
          List.of("since", "until"),
          List.of("hop", "lost", "occasions", "reason", "last_at", "messages"));
  static final QuerySpec LOSERS =
      about(
          "losers",
          "Which clients missed messages, how many, and why; newest first.",
          List.of("participant", "since", "until", "limit"),
          List.of("at", "participant", "missed", "reason", "relay"));
  static final QuerySpec DEAD_LETTERS =
      about(
          "dead_letters",
          "Malformed messages: on which channel, why, their first bytes; newest first.",
          List.of("since", "until", "limit"),
          List.of("at", "channel", "reason", "messages", "size", "head"));
  static final QuerySpec UNHEARD =
      about(
          "unheard",
          "Channels that somebody published to while nobody listened.",
          List.of("since", "until", "limit"),
          List.of("channel", "messages", "last_at"));
  static final QuerySpec ALARMS =
      about(
          "alarms",
          "Storms (somebody sends far more than usual) and loops (messages that go round and round"
              + " between participants), newest first.",
          List.of("kind", "participant", "since", "until", "limit"),
          List.of("at", "kind", "subject", "participants", "messages", "detail"));
  static final QuerySpec NOT_SEEN =
      about(
          "not_seen",
          "When Rogers itself wasn't watching, so that the counts of that time are incomplete;"
              + " newest first.",
          List.of("since", "until"),
          List.of("since", "until", "reason", "missed"));
  static final QuerySpec SERVICE =
      about(
          "service",
          "Rogers itself: its version, up since when, how many messages it has seen, whether it"
              + " keeps up.",
          List.of(),
          List.of("version", "up_since", "messages_seen", "seen_until", "keeps_up"));

  /** Those about the bus that one SQL statement answers. */
  static final List<QuerySpec> OF_THE_BUS =
      List.of(
          CONNECTIONS,
          COUNT_CONNECTIONS,
          CONNECTIONS_AT,
          CHANGES,
          SENDERS,
          MESSAGES,
          HOURS,
          CHANNELS,
          LOSSES,
          LOSERS,
          DEAD_LETTERS,
          UNHEARD,
          ALARMS,
          NOT_SEEN);

  /** Those that are answered from the table of tasks. */
  static final List<QuerySpec> OF_TASKS = List.of(TaskQuerySpecs.TASKS, TaskQuerySpecs.TASK);

  /** All of them. */
  static final List<QuerySpec> ALL =
      Stream.of(OF_THE_BUS, List.of(SERVICE), OF_TASKS).flatMap(List::stream).toList();

  private QuerySpecs() {}

  /** The names of queries, arguments and columns, which no answer can mean as a participant's. */
  static Set<String> words() {
    return ALL.stream()
        .flatMap(spec ->
            Stream.of(List.of(spec.name()), spec.arguments(), spec.columns()).flatMap(List::stream))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static QuerySpec about(
      String name, String meaning, List<String> arguments, List<String> columns) {
    return ARGUMENTS.spec(name, meaning, arguments, columns);
  }

  private static QuerySpec required(String argument, QuerySpec spec) {
    var schema = spec.argumentsSchema();
    schema.putArray("required").add(argument);
    return new QuerySpec(spec.name(), spec.meaning(), schema, spec.columns());
  }

  private static String kinds() {
    return Stream.of(Channel.Kind.values())
        .map(kind -> '"' + kind.pattern() + '"')
        .reduce((one, other) -> one + "," + other)
        .orElseThrow();
  }
}
