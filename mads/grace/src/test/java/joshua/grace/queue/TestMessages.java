package joshua.grace.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.ChannelPattern;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.Json;
import joshua.network.Connection;

/** Messages whose bytes are short, so that tests can count them, and clients that may read all. */
final class TestMessages {
  private static final UUID ID = new UUID(0, 1);

  private TestMessages() {}

  static void deliver(
      ClientQueues queues,
      String channel,
      String text,
      String sender,
      Instant timestamp,
      Predicate<String> to) {
    Channel on = new Channel(channel);
    Envelope envelope =
        new Envelope(ID, ID, ID, timestamp, sender, Optional.empty(), on, Json.object(), Map.of());
    queues.deliver(envelope, text.getBytes(UTF_8), to);
  }

  /** From bob to everybody. */
  static void deliver(ClientQueues queues, String channel, String text, Instant timestamp) {
    deliver(queues, channel, text, "bob", timestamp, _ -> true);
  }

  static ClientQueues.Subscribed subscribe(
      ClientQueues queues, String client, Connection connection, String... topics) {
    List<ChannelPattern> patterns = Stream.of(topics).map(ChannelPattern::new).toList();
    ReadingRights all = new ReadingRights(true, true);
    return queues.subscribe(client, patterns, Optional.empty(), false, connection, all);
  }
}
