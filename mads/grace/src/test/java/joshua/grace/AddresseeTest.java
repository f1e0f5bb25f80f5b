package joshua.grace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.testing.RawEnvelope;
import joshua.testing.RawListener;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import joshua.testing.admins.ScriptedAdmin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that a message without a receiver doesn't look delivered (wire contract §3). */
final class AddresseeTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private RealRedis redis;
  private RunningGrace grace;
  private RawRedis raw;

  @BeforeEach
  void start() throws Exception {
    redis = RealRedis.start();
    grace = RunningGrace.on(redis);
    raw = redis.raw();
    await().atMost(SOON).until(() -> raw.subscribers("mad.system.heartbeat") == 1);
  }

  @AfterEach
  void stop() {
    raw.close();
    grace.close();
    redis.close();
  }

  private void beat(String sender, String detail) {
    raw.publish(
        "mad.system.heartbeat",
        RawEnvelope.on("mad.system.heartbeat")
            .from(sender)
            .payload("{\"status\":\"HEALTHY\",\"detail\":%s}".formatted(detail))
            .json());
  }

  private String addressee(String name) throws Exception {
    return grace.send("mad.direct." + name, "{}").path("addressee").asText();
  }

  @Test
  void aClientOfThisGraceIsPresent() throws Exception {
    grace.subscribe("ann", "mad.direct.ann");
    JsonNode sent = grace.send("mad.direct.ann", "{}");
    assertThat(sent.path("addressee").asText()).isEqualTo("present");
    assertThat(sent.path("receivers").asInt()).isEqualTo(1);
    assertThat(sent.has("listening_since")).isFalse();
  }

  @Test
  void ofAClientThatStoppedCallingTheAnswerSaysSinceWhen() throws Exception {
    grace.subscribe("ann", "mad.direct.ann");
    assertThat(grace.send("mad.direct.ann", "{}").has("silent_since")).isFalse();
    grace.time.advance(Duration.ofMinutes(3));
    await().atMost(SOON).until(() -> grace.send("mad.direct.ann", "{}").has("silent_since"));
    JsonNode sent = grace.send("mad.direct.ann", "{}");
    assertThat(sent.path("addressee").asText()).isEqualTo("present");
    assertThat(sent.path("silent_since").asText()).isEqualTo("2026-01-31T12:00:00.000Z");
    grace.call("grace_poll_messages", "{'client_id':'ann'}");
    assertThat(grace.send("mad.direct.ann", "{}").has("silent_since")).isFalse();
  }

  @Test
  void aSilentClientWhoseQueueTakesNoDirectMessagesIsAway() throws Exception {
    grace.subscribe("ann", "mad.topic.a");
    grace.time.advance(Duration.ofMinutes(3));
    JsonNode sent = grace.send("mad.direct.ann", "{}");
    assertThat(sent.path("addressee").asText()).isEqualTo("away");
    assertThat(sent.has("silent_since")).isFalse();
  }

  @Test
  void whoListensOnRedisIsPresent() throws Exception {
    try (RawRedis listener = redis.raw()) {
      listener.call("SUBSCRIBE", "mad.direct.eve");
      await().atMost(SOON).until(() -> raw.subscribers("mad.direct.eve") == 1);
      assertThat(addressee("eve")).isEqualTo("present");
    }
  }

  @Test
  void aNameThatNobodyHeardIsUnknownAndTheAnswerSaysSinceWhenGraceListens() throws Exception {
    JsonNode sent = grace.send("mad.direct.annn", "{}");
    assertThat(sent.path("addressee").asText()).isEqualTo("unknown");
    assertThat(sent.path("receivers").asInt()).isZero();
    assertThat(sent.path("listening_since").asText()).isEqualTo("2026-01-31T12:00:00.000Z");
  }

  @Test
  void whoWasHeardAndDoesNotListenIsAway() throws Exception {
    beat("dan", "{}");
    await().atMost(SOON).until(() -> addressee("dan").equals("away"));
    grace.call("grace_send_message", "{'channel':'mad.topic.x','payload':{},'client_id':'pat'}");
    assertThat(addressee("pat")).isEqualTo("away");

    grace.subscribe("ann", "mad.topic.a");
    String from = RawEnvelope.on("mad.topic.a").from("carl").json();
    raw.publish("mad.topic.a", from);
    grace.pollWaiting("ann");
    assertThat(addressee("carl")).isEqualTo("away");
  }

  @Test
  void aTapOfTheGroupIsNoReceiverAndAnotherWildcardIsNoAddressee() throws Exception {
    try (RawListener _ = RawListener.on(redis, "mad.*")) {
      JsonNode before = grace.send("mad.topic.nobody", "{}");
      assertThat(before.path("receivers").asInt()).isEqualTo(1);
      assertThat(before.has("addressee")).isFalse();
      assertThat(addressee("nobody")).isEqualTo("unknown");

      beat("tapping", "{\"taps\":1}");

      await()
          .atMost(SOON)
          .until(() -> grace.send("mad.topic.nobody", "{}").path("receivers").asInt() == 0);
      assertThat(addressee("nobody")).isEqualTo("unknown");
    }
  }

  @Test
  void whoListensByAWildcardIsPresentUntilItLeaves() throws Exception {
    try (RawListener _ = RawListener.on(redis, "mad.*")) {
      beat("eve", "{}");
      await().atMost(SOON).until(() -> addressee("eve").equals("present"));
      raw.publish(
          "mad.system.presence",
          RawEnvelope.on("mad.system.presence")
              .from("eve")
              .payload("{\"event\":\"leave\"}")
              .json());
      await().atMost(SOON).until(() -> addressee("eve").equals("away"));
    }
  }

  @Test
  void moreTapsThanSubscriptionsAreNoNegativeNumber() throws Exception {
    beat("tapping", "{\"taps\":8}");
    await().atMost(SOON).until(() -> grace.state("names").path("taps").asInt() == 8);
    assertThat(grace.send("mad.topic.nobody", "{}").path("receivers").asInt()).isZero();
    grace.subscribe("ann", "mad.topic.a");
    assertThat(grace.send("mad.topic.a", "{}").path("receivers").asInt()).isEqualTo(1);
  }

  @Test
  void rogersIsAskedOnceWhoIsKnown() throws Exception {
    try (RawListener rogers = RawListener.on(redis, "mad.direct.rogers")) {
      assertThat(addressee("zoe")).isEqualTo("unknown");
      beat("rogers", "{}");
      await().atMost(SOON).until(() -> !rogers.on("mad.direct.rogers").isEmpty());
      JsonNode asked = Json.parse(rogers.on("mad.direct.rogers").getFirst());
      assertThat(asked.path("payload").path("prompt").asText()).isEqualTo("who");

      raw.publish(
          "mad.direct.grace",
          RawEnvelope.on("mad.direct.grace")
              .from("rogers")
              .withText("correlation_id", asked.path("correlation_id").asText())
              .payload(
                  """
                  {"notification_type":"task_update","status":"COMPLETED","result":{"evidence":\
                  [{"query":"connections","rows":[{"participant":"zoe","status":"DISCONNECTED"}]}]}}\
                  """)
              .json());

      await().atMost(SOON).until(() -> addressee("zoe").equals("away"));
      beat("rogers", "{}");
      beat("last", "{}");
      await().atMost(SOON).until(() -> addressee("last").equals("away"));
      assertThat(rogers.on("mad.direct.rogers")).hasSize(1);
    }
  }

  @Test
  void adminsSeeWhoWouldGetAMessage() throws Exception {
    grace.subscribe("ann", "mad.direct.ann");
    ScriptedAdmin viewer = ScriptedAdmin.of(grace.verbs(), "eve", Role.VIEWER);
    JsonNode ann = viewer.json("listeners mad.direct.ann");
    assertThat(ann.path("queues").asInt()).isEqualTo(1);
    assertThat(ann.path("addressee").asText()).isEqualTo("present");
    assertThat(viewer.json("listeners mad.direct.nobody").path("addressee").asText())
        .isEqualTo("unknown");
    assertThat(viewer.json("listeners mad.topic.x").path("addressee").isNull()).isTrue();
    viewer.run("listeners other.x");
    assertThat(viewer.told()).contains("CHANNEL must be mad.");
  }
}
