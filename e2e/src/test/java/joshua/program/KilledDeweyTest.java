package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import joshua.integration.FrameClient;
import joshua.integration.SharedRedis;
import joshua.program.Program.Run;
import joshua.testing.Await;
import joshua.testing.FreePort;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Dewey is killed at random moments while messages go to somebody away and to somebody who polls:
 * each comes once, or was published in a span that {@code not-kept} names.
 */
class KilledDeweyTest {
  private static final int KILLS = Integer.getInteger("joshua.dewey.kills", 3);
  private static final int MAX_POLLS = 200; // in a life of Dewey
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5); // 200 a second

  private final long seed = Long.getLong("joshua.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final AtomicBoolean over = new AtomicBoolean();
  private final List<Sent> sent = new ArrayList<>();

  /** When a message to each of the two was published: somewhere between these. */
  private record Sent(Instant after, Instant before) {}

  private record Span(Instant since, Instant until) {}

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void eachMessageIsDeliveredOrInASpanThatWasNotKept(@TempDir Path directory) throws Exception {
    System.out.println("seed " + seed);
    int gracePort = FreePort.next();
    int deweyPort = FreePort.next();
    try (RedisServer redis = SharedRedis.another();
        RawRedis raw = redis.connect()) {
      Map<String, String> settings = Program.settings(directory, redis.url(), redis.password());
      settings.put("JOSHUA_GRACE_PORT", Integer.toString(gracePort));
      settings.put("JOSHUA_DEWEY_PORT", Integer.toString(deweyPort));
      Path its = Files.createDirectory(directory.resolve("grace"));
      try (Program relay = new Program(its, settings);
          Program archivist = new Program(directory, settings)) {
        relay.start("up", "grace").awaitSaid("Joshua");
        List<Integer> here = new ArrayList<>();
        try (FrameClient client = new FrameClient(gracePort)) {
          subscribe(client, "here");
          Thread publisher = null;
          for (int i = 0; i < KILLS; i++) {
            Run run = archivist.start("up", "dewey");
            run.awaitSaid("Joshua");
            if (publisher == null) {
              publisher = Thread.ofPlatform().start(() -> publish(redis));
            }
            for (int polls = random.nextInt(MAX_POLLS); polls >= 0; polls--) {
              here.addAll(poll(client, "here"));
            }
            run.killAfter(0);
          }
          archivist.start("up", "dewey").awaitSaid("Joshua");
          over.set(true);
          publisher.join();
          publishNext(raw); // which is kept
          List<Span> spans = spans(deweyPort);
          assertThat(spans).hasSize(KILLS);
          drain(client, "here", here, spans);
          subscribe(client, "away");
          assertThat(drain(client, "away", new ArrayList<>(), spans)).as("seed " + seed).isSorted();
          System.out.printf("%d kills, %d messages%n", KILLS, 2 * sent.size());
        }
      }
    }
  }

  private void publish(RedisServer redis) {
    try (RawRedis raw = redis.connect()) {
      while (!over.get()) {
        publishNext(raw);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private void publishNext(RawRedis raw) {
    Instant after = Instant.now();
    for (String name : List.of("here", "away")) {
      raw.publish("mad.direct." + name, message(name, sent.size()));
    }
    sent.add(new Sent(after, Instant.now()));
  }

  private static String message(String name, int number) {
    String payload = "{\"number\":%d}".formatted(number);
    return RawEnvelope.on("mad.direct." + name).from("bob").payload(payload).json();
  }

  private static void subscribe(FrameClient client, String name) {
    client.succeed(
        "grace_subscribe", FrameClient.input("client_id", name, "topics", "mad.direct." + name));
  }

  private static List<Integer> poll(FrameClient client, String name) {
    JsonNode answer =
        client.succeed("grace_poll_messages", FrameClient.input("client_id", name, "wait_ms", 100));
    return answer.path("messages").findValues("number").stream().map(JsonNode::asInt).toList();
  }

  /** Polls until nothing is missing that was kept. */
  private List<Integer> drain(
      FrameClient client, String name, List<Integer> messages, List<Span> spans) {
    Await.value(
        "all comes to %s, seed %d, not kept %s".formatted(name, seed, spans),
        () -> {
          messages.addAll(poll(client, name));
          return IntStream.range(0, sent.size())
              .filter(i -> !messages.contains(i) && !isIn(sent.get(i), spans))
              .mapToObj(i -> i + " " + sent.get(i))
              .toList();
        },
        List::isEmpty);
    assertThat(messages).as("to %s, seed %d", name, seed).doesNotHaveDuplicates();
    return messages;
  }

  private static boolean isIn(Sent message, List<Span> spans) {
    return spans.stream()
        .anyMatch(span ->
            !span.since().isAfter(message.before()) && !span.until().isBefore(message.after()));
  }

  private static List<Span> spans(int port) {
    try (FrameClient client = new FrameClient(port)) {
      return client
          .succeed("dewey_query", FrameClient.input("name", "not_kept"))
          .path("rows")
          .valueStream()
          .map(row ->
              new Span(
                  Instant.parse(row.path("since_at").asText()),
                  Instant.parse(row.path("until_at").asText())))
          .toList();
    }
  }
}
