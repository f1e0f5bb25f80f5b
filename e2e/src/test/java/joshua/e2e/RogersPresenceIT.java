package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests presence as the built program reports it while participants join, send heartbeats by hand,
 * only poll, and die (REQ-RG-14, Works 12).
 */
final class RogersPresenceIT {
  /** Shorter than the contract's, and longer than what Grace grants its clients. */
  private static final Duration STALE = Duration.ofSeconds(25);

  private static final Duration GONE = Duration.ofSeconds(50);
  private static final Duration LEEWAY = Duration.ofSeconds(15);

  private final TestEnvironment environment = new TestEnvironment();
  private final RealRedis redis = environment.add(RealRedis.start());
  private final List<String> settings = new ArrayList<>();

  RogersPresenceIT() {
    settings.addAll(SingleMadProcess.on(environment, redis, redis.url()));
    settings.add("JOSHUA_ROGERS_STALE_AFTER=" + STALE.toSeconds());
    settings.add("JOSHUA_ROGERS_DISCONNECTED_AFTER=" + GONE.toSeconds());
  }

  @AfterEach
  void close() {
    environment.close();
  }

  private static JsonNode row(FrameSocketClient rogers, String name) {
    JsonNode rows = rogers.call("rogers_get_connections", "{}").path("connections");
    return rows.valueStream()
        .filter(row -> row.path("mad_id").asText().equals(name))
        .findFirst()
        .orElse(MissingNode.getInstance());
  }

  private static void await(FrameSocketClient rogers, String name, String status, Duration within) {
    Awaitility.await(name + " is " + status)
        .atMost(within)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> row(rogers, name).path("status").asText().equals(status));
  }

  private static String changes(FrameSocketClient rogers, String name) {
    JsonNode answer =
        rogers.call(
            "rogers_query",
            "{\"name\":\"changes\",\"arguments\":{\"participant\":\"" + name + "\"}}");
    assertThat(answer.path("status").asText()).as(answer.toString()).isEqualTo("success");
    return answer
        .path("rows")
        .valueStream()
        .map(row -> row.path("status").asText())
        .toList()
        .reversed()
        .toString();
  }

  @Test
  void everyKindOfParticipantIsSeenAsItIs() {
    SingleMadProcess rogersAlone = SingleMadProcess.start(environment, "rogers", settings);
    SingleMadProcess graceAlone = SingleMadProcess.start(environment, "grace", settings);
    SingleMadProcess mortal = SingleMadProcess.start(environment, "fiedler", settings);
    FrameSocketClient rogers = rogersAlone.client(environment);
    FrameSocketClient poller = graceAlone.client(environment);
    RawRedis raw = environment.add(redis.raw());
    for (String name : List.of("rogers", "grace", "fiedler")) {
      await(rogers, name, "HEALTHY", LEEWAY);
    }
    var _ = poller.subscribe("poller", "mad.topic.news");
    String heartbeat = "mad.system.heartbeat";
    raw.publish(
        heartbeat,
        RawEnvelope.on(heartbeat).from("by-hand").payload("{\"status\":\"HEALTHY\"}").json());
    raw.publish("mad.topic.news", RawEnvelope.on("mad.topic.news").from("third-party").json());
    await(rogers, "by-hand", "HEALTHY", LEEWAY);
    await(rogers, "third-party", "CONNECTED", LEEWAY);
    await(rogers, "poller", "HEALTHY", LEEWAY);
    assertThat(row(rogers, "poller").path("via").asText()).isEqualTo("grace");

    mortal.run().kill();
    for (String name : List.of("fiedler", "by-hand", "third-party")) {
      awaitPolling(rogers, poller, name, "STALE", STALE.plus(LEEWAY));
      assertThat(row(rogers, name).path("why").asText()).startsWith("stale: silent for ");
    }
    assertThat(row(rogers, "fiedler").path("why").asText())
        .endsWith(" s, expected a heartbeat every 10 s");
    for (String name : List.of("fiedler", "by-hand", "third-party")) {
      awaitPolling(rogers, poller, name, "DISCONNECTED", GONE.minus(STALE).plus(LEEWAY));
    }
    raw.publish("mad.topic.news", RawEnvelope.on("mad.topic.news").from("by-hand").json());
    await(rogers, "by-hand", "HEALTHY", LEEWAY);

    assertThat(changes(rogers, "fiedler")).endsWith("HEALTHY, STALE, DISCONNECTED]");
    assertThat(changes(rogers, "by-hand")).isEqualTo("[HEALTHY, STALE, DISCONNECTED, HEALTHY]");
    assertThat(changes(rogers, "third-party")).isEqualTo("[CONNECTED, STALE, DISCONNECTED]");
    // Idle, but there all the time.
    assertThat(changes(rogers, "poller")).doesNotContain("STALE");
    assertThat(changes(rogers, "grace")).doesNotContain("STALE");
  }

  private static void awaitPolling(
      FrameSocketClient rogers,
      FrameSocketClient poller,
      String name,
      String status,
      Duration within) {
    Awaitility.await(name + " is " + status)
        .atMost(within)
        .pollInterval(Duration.ofMillis(500))
        .until(() -> {
          var _ = poller.pollNow("poller");
          return row(rogers, name).path("status").asText().equals(status);
        });
  }

  @Test
  void aSecondRogersOnTheSameDataIsRefusedUntilTheFirstIsGone() {
    SingleMadProcess first = SingleMadProcess.start(environment, "rogers", settings);
    List<String> words = new ArrayList<>(settings);
    words.add("rogers");
    ProgramRun second = environment.run(words.toArray(String[]::new));
    assertThat(second.exitStatus()).isNotZero();
    assertThat(second.err())
        .contains("in use by another Rogers (process " + first.run().pid() + ")")
        .contains("JOSHUA_DATA_DIR");

    first.run().kill();
    SingleMadProcess next = SingleMadProcess.start(environment, "rogers", settings);
    FrameSocketClient rogers = next.client(environment);
    await(rogers, "rogers", "HEALTHY", LEEWAY);
  }
}
