package joshua.rogers.query;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.conversation.Channel;
import joshua.kernel.BusIdentifiers;
import joshua.tasks.query.QueryArguments;
import joshua.tasks.query.TaskQuerySpecs;
import joshua.thought.QuerySpec;

/** The whitelist of Rogers' queries (REQ-RG-02): those about the bus, and those about tasks. */
public final class RogersQueries {
  private static final String MOMENT = QueryArguments.MOMENT;

  private static final QueryArguments ARGUMENTS =
      new QueryArguments(
              Map.of(
                  "participant",
                  "{\"type\":\"string\",\"pattern\":\"%s\",\"description\":\"a name on the bus\"}"
                      .formatted(BusIdentifiers.IDENTIFIER_PATTERN),
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
                      .formatted(QueryArguments.MAX_LIMIT)))
          .with(
              Map.of(
                  "channel",
                  "{\"type\":\"string\",\"pattern\":\"^mad[.][A-Za-z0-9._:-]{1,160}$\"}",
                  "than_since",
                  MOMENT,
                  "than_until",
                  MOMENT));

  static final QuerySpec CONNECTIONS =
      about(
          "connections",
          "Who is on the bus now: each participant with its state, why it is in that state, since"
              + " when, when it was last heard, and when it came.",
          List.of("participant", "status"),
          List.of("participant", "status", "why", "since", "last_heard", "connected_at"));
  static final QuerySpec COUNT_CONNECTIONS =
      about(
          "count_connections",
          "How many participants there are, by state.",
          List.of("status"),
          List.of("participants", "healthy", "connected", "stale", "disconnected"));
  public static final QuerySpec CONNECTIONS_AT =
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

  static final QuerySpec PUBLISHERS =
      about(
          "publishers",
          "Who sends on a channel, and on which channels somebody sends: topics and broadcasts, as"
              + " far back as the journal reaches.",
          List.of("channel", "participant", "since", "until", "limit"),
          List.of("channel", "sender", "messages", "last_at"));
  static final QuerySpec LISTENERS =
      required(
          "channel",
          about(
              "listeners",
              "Whether anybody listens on a channel now: connections that have subscribed to it by"
                  + " name, and patterns that relays follow for their clients.",
              List.of("channel"),
              List.of("channel", "by_name", "patterns")));
  static final QuerySpec RECENT =
      about(
          "recent",
          "The last messages of a channel or a participant, newest first: topics and broadcasts, as"
              + " far back as the journal reaches. Direct messages are left out.",
          List.of("channel", "participant", "since", "until", "limit"),
          List.of("at", "sender", "channel", "payload"));
  static final QuerySpec RATE =
      about(
          "rate",
          "How much is going on now: messages a second over the last ten seconds, messages of this"
              + " hour and of the one before.",
          List.of(),
          List.of("per_second", "this_hour", "last_hour"));
  static final QuerySpec QUIET =
      about(
          "quiet",
          "Who went quiet, or vanished without a leave; with a time, who did then.",
          List.of("since", "until", "limit"),
          List.of("participant", "status", "since", "last_heard", "why"));
  static final QuerySpec KINDS =
      about(
          "kinds",
          "What kind of traffic dominates: messages by kind of channel, with their share. Counts are"
              + " by whole hours.",
          List.of("participant", "since", "until"),
          List.of("kind", "messages", "percent", "bytes"));
  static final QuerySpec CONNECTED_SINCE =
      about(
          "connected_since",
          "Who has been there longest: since when, and how many seconds that is.",
          List.of("limit"),
          List.of("participant", "connected_at", "seconds", "status"));
  static final QuerySpec COMPARE =
      about(
          "compare",
          "How the traffic of two times compares: since to until (by default this hour) with"
              + " than_since to than_until (by default as long a time just before). Counts are by"
              + " whole hours.",
          List.of("since", "until", "than_since", "than_until"),
          List.of("since", "until", "messages", "per_minute"));
  static final QuerySpec PROBLEMS =
      about(
          "problems",
          "Everything that isn't well: who fell silent, what was lost, malformed or unheard, alarms,"
              + " and when Rogers wasn't watching; by default of the last hour.",
          List.of("since", "until", "limit"),
          List.of("what", "subject", "at", "detail"));
  static final QuerySpec EVENTS =
      about(
          "events",
          "What happened at a time, five minutes before and after it, or in a span: changes of state,"
              + " losses, alarms, malformed and unheard messages, traffic by hour; newest first.",
          List.of("at", "since", "until", "participant", "limit"),
          List.of("at", "what", "subject", "detail"));

  /** Queries about the bus that one SQL statement answers. */
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
          NOT_SEEN,
          PUBLISHERS,
          RECENT,
          QUIET,
          KINDS,
          CONNECTED_SINCE,
          COMPARE,
          PROBLEMS,
          EVENTS);

  /** Queries that are answered from the table of tasks. */
  public static final List<QuerySpec> OF_TASKS = List.of(TaskQuerySpecs.TASKS, TaskQuerySpecs.TASK);

  /** All queries. */
  public static final List<QuerySpec> ALL =
      Stream.of(OF_THE_BUS, List.of(RATE, LISTENERS, SERVICE), OF_TASKS)
          .flatMap(List::stream)
          .toList();

  private RogersQueries() {}

  /** The names of queries, arguments and columns, none of which is a participant's in an answer. */
  public static Set<String> words() {
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
