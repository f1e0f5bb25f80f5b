package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.Json;

/**
 * A client that publishes, each time on the next of its channels, and records the outcome of every
 * message. Its payloads are {@code {"by":name,"n":1,2,3…}}.
 */
final class TopicPublisher {
  /** The outcome of one message. */
  enum Outcome {
    ACCEPTED,
    REFUSED,
    UNKNOWN
  }

  /**
   * One message.
   *
   * @param begun before it was sent to Grace
   * @param answered when the answer had come
   */
  record Spoken(String key, String channel, Instant begun, Instant answered, Outcome outcome) {}

  private static final long ANSWERS_WITHIN_SECONDS = 20;

  private final String name;
  private final FrameSocketClient socket;
  private final List<String> channels;
  private final AtomicInteger said = new AtomicInteger();
  private final Map<String, Spoken> answered = new ConcurrentHashMap<>();
  private final Map<String, Integer> refusals = new ConcurrentHashMap<>();

  TopicPublisher(String name, FrameSocketClient socket, List<String> channels) {
    this.name = name;
    this.socket = socket;
    this.channels = List.copyOf(channels);
  }

  /** Sends the next message without waiting for its answer. */
  void talk() {
    say(channels.get(said.get() % channels.size()), () -> {});
  }

  private void say(String channel, Runnable whenAnswered) {
    int n = said.incrementAndGet();
    ObjectNode input = Json.object().put("client_id", name).put("channel", channel);
    input.putObject("payload").put("by", name).put("n", n);
    Instant begun = Instant.now();
    var _ =
        socket
            .begin("grace_send_message", input)
            .whenComplete((answer, failure) -> {
              if (answer != null) {
                String key = key(name, n);
                answered.put(key, new Spoken(key, channel, begun, Instant.now(), outcome(answer)));
              }
              whenAnswered.run();
            });
  }

  /** Repeats a message until one is accepted; returns its key. */
  String insist(String channel) throws InterruptedException {
    while (true) {
      int n = said.get() + 1;
      CountDownLatch done = new CountDownLatch(1);
      say(channel, done::countDown);
      if (!done.await(ANSWERS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError(name + " got no answer");
      }
      Spoken spoken = answered.get(key(name, n));
      if (spoken != null && spoken.outcome() == Outcome.ACCEPTED) {
        return spoken.key();
      }
    }
  }

  private Outcome outcome(JsonNode answer) {
    if (answer.path("status").asText().equals("success")) {
      return Outcome.ACCEPTED;
    }
    if (answer.path("outcome").asText().equals("unknown")) {
      return Outcome.UNKNOWN;
    }
    refusals.merge(answer.path("code").asText(), 1, Integer::sum);
    return Outcome.REFUSED;
  }

  static String key(String by, int n) {
    return by + "/" + n;
  }

  String name() {
    return name;
  }

  int said() {
    return said.get();
  }

  /** Everything that has been answered so far. */
  List<Spoken> answered() {
    return List.copyOf(answered.values());
  }

  /** How often each reason for a refusal occurred. */
  Map<String, Integer> refusals() {
    return Map.copyOf(refusals);
  }
}
