package joshua.grace.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import joshua.conversation.BusIdentity;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.envelope.ChannelPattern;
import joshua.grace.queue.ClientQueues.Subscribed;
import joshua.grace.queue.Polls.Outcome;
import joshua.grace.queue.Polls.Outcome.Answer;
import joshua.grace.queue.Polls.Poll;
import joshua.network.Connection;
import joshua.testing.ManualTime;
import org.jspecify.annotations.Nullable;

/** The queues of a relay whose clock stands, and what their clients are told. */
abstract class QueueFixture {
  static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
  static final Instant NOW = NOON.plusSeconds(1_000);
  static final String X = "mad.topic.x";

  final ManualTime time = new ManualTime(NOW);
  final ClientQueues queues = queues("a1");
  final Polls polls = new Polls(queues, _ -> {});
  final List<OutgoingMessage> said = new ArrayList<>();
  final ClientPresence presence =
      new ClientPresence(queues, new BusIdentity("grace", "i", "1", NOW), said::add);
  final Connection socket = connection();

  static final ReadingRights ALL = new ReadingRights(true, true);

  /** Three messages a client, two clients, ten bytes. */
  ClientQueues.Limits limits() {
    return new ClientQueues.Limits(3, 2, 10);
  }

  Connection connection() {
    return new Connection("socket", () -> false);
  }

  ClientQueues queues(String epoch) {
    return new ClientQueues(epoch, limits(), time, time::nanoTime);
  }

  Subscribed subscribe(String client, @Nullable String cursor, String... topics) {
    List<ChannelPattern> patterns = Stream.of(topics).map(ChannelPattern::new).toList();
    Subscribed subscribed =
        queues.subscribe(client, patterns, cursor(client, cursor), false, socket, ALL);
    presence.called(client, "subscribed");
    return subscribed;
  }

  /** What has been announced since it was last asked. */
  List<String> announced() {
    List<String> announced =
        said.stream()
            .map(message ->
                "%s %s: %s, %s"
                    .formatted(
                        message.sender(),
                        message.payload().path("event").asText(),
                        message.payload().path("reason").asText(),
                        message.payload().path("away").asBoolean() ? "away" : "-"))
            .toList();
    said.clear();
    return announced;
  }

  Subscribed subscribe(String client) {
    return subscribe(client, null, X);
  }

  void deliver(int... seconds) {
    for (int second : seconds) {
      TestMessages.deliver(queues, X, Integer.toString(second), NOON.plusSeconds(second));
    }
  }

  static Optional<Cursor> cursor(String client, @Nullable String text) {
    return Optional.ofNullable(text).map(it -> Cursor.parse(client, it).orElseThrow());
  }

  Outcome poll(String client, @Nullable String cursor) {
    return polls.begin(request(client, cursor, Duration.ZERO, socket)).atOnce().orElseThrow();
  }

  static Poll request(
      String client, @Nullable String cursor, Duration wait, Connection connection) {
    return new Poll(client, cursor(client, cursor), wait, 100, 10_000, Long.MAX_VALUE, connection);
  }

  static List<String> texts(Outcome outcome) {
    return ((Answer) outcome)
        .page().messages().stream().map(message -> new String(message.body(), UTF_8)).toList();
  }

  /** A poll without a cursor whose answer is written. */
  Answer take(String client) {
    Answer answer = (Answer) poll(client, null);
    answer.written().accept(true);
    return answer;
  }
}
