package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests what the command line shows of the bus, with Rogers' help (Works 12). */
final class RogersVerbsIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final TestEnvironment STAGE = new TestEnvironment();
  private static GroupUnderTest groupUnderTest;

  @BeforeAll
  static void start() {
    groupUnderTest = STAGE.up();
  }

  @AfterAll
  static void stop() {
    STAGE.close();
  }

  @Test
  void statusTellsWhoIsThereAndWhy() {
    ProgramRun status =
        await()
            .atMost(SOON)
            .until(
                () -> STAGE.run("status"),
                programRun ->
                    programRun.out().lines().filter(line -> line.contains("HEALTHY")).count() >= 3);
    assertThat(status.out()).contains("PARTICIPANT", "grace", "fiedler", "rogers");

    JsonNode connections = FrameSocketClient.parse(STAGE.run("status", "-o", "json").out());
    assertThat(connections).isNotEmpty();
    assertThat(connections).allSatisfy(each -> assertThat(each.path("why").asText()).isNotBlank());
  }

  @Test
  void topTellsWhatFlows() {
    FrameSocketClient grace = groupUnderTest.client();
    JsonNode top =
        await()
            .atMost(SOON)
            .until(
                () -> {
                  ProgramRun measuring = STAGE.start("top", "--once", "--every", "3", "-o", "json");
                  while (measuring.alive()) {
                    grace.send("chatterbox", "mad.topic.gossip", "{'n':1}");
                  }
                  return FrameSocketClient.parse(measuring.out());
                },
                each -> !each.path("senders").isEmpty());
    assertThat(top.path("messages_per_s").asDouble()).isPositive();
    assertThat(top.path("senders"))
        .anyMatch(each -> each.path("sender").asText().equals("chatterbox"));
    assertThat(top.path("channels"))
        .anyMatch(each -> each.path("channel").asText().equals("mad.topic.gossip"));
  }

  @Test
  void traceShowsThePathOfARequest() {
    FrameSocketClient grace = groupUnderTest.client();
    grace.subscribe("ann", "mad.direct.ann");
    grace.send("ann", "mad.direct.fiedler", "{'prompt':'tasks'}");
    String correlation = grace.poll("ann").path("messages").path(0).path("correlation_id").asText();

    ProgramRun trace =
        await()
            .atMost(SOON)
            .until(
                () -> STAGE.run("trace", correlation),
                programRun -> programRun.out().lines().count() >= 3);
    assertThat(trace.out()).contains("mad.direct.fiedler", "mad.direct.ann", "+0.000 s");
  }

  @Test
  void whatCantBeTracedIsSaid() {
    ProgramRun unknown = STAGE.run("trace", UUID.randomUUID().toString());
    assertThat(unknown.exitStatus()).isEqualTo(1);
    assertThat(unknown.err()).contains("nothing is known of it");
    ProgramRun wrong = STAGE.run("trace", "yesterday");
    assertThat(wrong.exitStatus()).isEqualTo(2);
    ProgramRun alone = STAGE.run("JOSHUA_DATA_DIR=" + STAGE.path().resolve("elsewhere"), "status");
    assertThat(alone.exitStatus()).isEqualTo(69);
    assertThat(alone.err()).contains("rogers");
  }
}
