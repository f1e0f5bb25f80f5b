package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.stream.StreamSupport;
import joshua.testing.RawEnvelope;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests what the running Rogers reports as lost (Works 13): a false ledger is found, and the hop
 * named, within 5 s; Grace's own is true.
 */
final class RogersLedgerIT {
  private static final String LEDGER = "mad.system.ledger";
  private static final Duration WITHIN = Duration.ofSeconds(5);
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

  /** A relay named {@code relay} reports this about itself, by the real redis-cli. */
  private static void tell(int marker, String rest) {
    RedisCli.run(
        groupUnderTest,
        "PUBLISH",
        LEDGER,
        RawEnvelope.on(LEDGER)
            .from("relay")
            .payload("{\"epoch\":\"e\",\"instance\":\"i\",\"marker\":%d%s}".formatted(marker, rest))
            .json());
  }

  private static void ledger(int marker, int received) {
    tell(marker, "");
    tell(
        marker,
        ",\"subscriptions\":{\"mad.topic.leak\":{\"since_marker\":1,\"received\":%d}}"
            .formatted(received));
  }

  private static JsonNode losses(FrameSocketClient rogers) {
    return rogers.call("rogers_query", "{'name':'losses','arguments':{}}").path("rows");
  }

  private static long lost(JsonNode rows, String hop) {
    return StreamSupport.stream(rows.spliterator(), false)
        .filter(row -> row.path("hop").asText().equals(hop))
        .mapToLong(row -> row.path("lost").asLong())
        .sum();
  }

  @Test
  void sevenThatAreMissingInALedgerAreFoundAndGraceIsClearOfThem() {
    FrameSocketClient rogers = groupUnderTest.client("rogers");
    FrameSocketClient grace = groupUnderTest.client();
    grace.subscribe("ann", "mad.topic.leak", "mad.topic.system_events");
    ledger(1, 0);
    for (int i = 0; i < 20; i++) {
      grace.send("bob", "mad.topic.leak", "{'n':%d}".formatted(i));
    }

    ledger(2, 13);

    JsonNode rows =
        await().atMost(WITHIN).until(() -> losses(rogers), all -> lost(all, "bus>relay") == 7);
    assertThat(lost(rows, "all")).isEqualTo(7);
    assertThat(rows.findValuesAsText("reason")).contains("fewer received than were published");
    JsonNode event =
        await()
            .atMost(WITHIN)
            .until(
                () -> event(grace.poll("ann").path("messages")), found -> !found.isMissingNode());
    assertThat(event.path("hop").asText()).isEqualTo("bus>relay");
    assertThat(event.path("expected").asInt() - event.path("actual").asInt()).isEqualTo(7);

    // Grace's ledgers of the same time have been compared, and they are true.
    JsonNode later =
        await()
            .atMost(Duration.ofSeconds(20))
            .until(
                () -> losses(rogers),
                all -> all.findValuesAsText("hop").stream().anyMatch("bus>grace"::equals));
    assertThat(lost(later, "bus>grace") + lost(later, "grace>clients")).isZero();
    assertThat(lost(later, "all")).isEqualTo(7);
  }

  private static JsonNode event(JsonNode messages) {
    return StreamSupport.stream(messages.spliterator(), false)
        .map(message -> message.path("payload"))
        .filter(payload -> payload.path("event").asText().equals("loss"))
        .findFirst()
        .orElse(messages.path("none"));
  }
}
