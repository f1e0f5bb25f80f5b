package joshua.grace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import joshua.kernel.DirectReaders;
import joshua.kernel.Role;
import joshua.network.Caller;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With tokens, direct messages are for their addressees (wire contract §3). */
final class DirectPrivacyTest {
  private static final Caller OPERATOR = new Caller(Optional.of("olga"), Role.OPERATOR, "test");
  private static final Caller VIEWER = new Caller(Optional.of("vic"), Role.VIEWER, "test");
  private static final Caller ADMIN = new Caller(Optional.of("ada"), Role.ADMIN, "test");
  private static final Caller READER = new Caller(Optional.of("rita"), Role.OPERATOR, "test");
  private static final GraceConfig CONFIG =
      new GraceConfig(100, 100, 1L << 30, 1_000, 64, new DirectReaders(Set.of("rita")));

  private RealRedis redis;
  private RunningGrace grace;

  @BeforeEach
  void start() throws Exception {
    redis = RealRedis.start();
    grace = RunningGrace.on(redis, CONFIG);
  }

  @AfterEach
  void stop() {
    grace.close();
    redis.close();
  }

  private static String id(Caller caller) {
    return caller.identity().orElse("nobody");
  }

  private JsonNode subscribe(Caller caller, String... topics) throws Exception {
    return grace.call(
        "grace_subscribe",
        "{'client_id':'%s','topics':['%s']}".formatted(id(caller), String.join("','", topics)),
        caller);
  }

  private JsonNode poll(Caller caller) throws Exception {
    return grace.call(
        "grace_poll_messages", "{'client_id':'%s','wait_ms':10000}".formatted(id(caller)), caller);
  }

  /** Sends one message on each channel, then an end message; returns what arrived before that. */
  private List<String> taken(Caller caller, String... channels) throws Exception {
    for (String channel : channels) {
      grace.send(channel, "{}");
    }
    grace.send("mad.topic.end", "{}");
    List<String> came = new ArrayList<>();
    while (!came.contains("mad.topic.end")) {
      JsonNode polled = poll(caller);
      // Earlier losses are reported at once, together with the messages that are there.
      assertThat(polled.path("messages").size() + polled.path("gap").size())
          .as("%s", polled)
          .isPositive();
      polled.path("messages").forEach(message -> came.add(message.path("channel").asText()));
    }
    came.remove("mad.topic.end");
    return came;
  }

  @Test
  void anOperatorIsRefusedAnothersChannelAndKeepsWhatItHad() throws Exception {
    JsonNode refused = subscribe(OPERATOR, "mad.topic.a", "mad.direct.ann");
    assertThat(refused.path("code").asText()).isEqualTo("forbidden");
    assertThat(refused.path("message").asText())
        .startsWith("topics[1] must not be mad.direct.ann")
        .contains("JOSHUA_DIRECT_READERS");
    assertThat(poll(OPERATOR).path("code").asText()).isEqualTo("not_subscribed");
    JsonNode own = subscribe(OPERATOR, "mad.direct.olga", "mad.topic.end");
    assertThat(own.path("status").asText()).isEqualTo("success");
    assertThat(own.has("withheld")).isFalse();
  }

  @Test
  void aWildcardLeavesOthersDirectMessagesOutAndSaysSo() throws Exception {
    JsonNode answer = subscribe(OPERATOR, "mad.*");
    assertThat(answer.path("status").asText()).isEqualTo("success");
    assertThat(answer.path("withheld")).hasToString("[\"mad.direct.*\"]");

    assertThat(
            taken(
                OPERATOR,
                "mad.direct.ann",
                "mad.direct.xolga",
                "mad.direct.olga2",
                "mad.direct.olga",
                "mad.topic.x",
                "mad.broadcast"))
        .containsExactly("mad.direct.olga", "mad.topic.x", "mad.broadcast");
    assertThat(subscribe(OPERATOR, "mad.topic.*").path("withheld")).hasSize(1);
  }

  @Test
  void whatIsWithheldReachesNobody() throws Exception {
    subscribe(OPERATOR, "mad.direct.*");
    JsonNode sent = grace.send("mad.direct.ann", "{}");
    assertThat(sent.path("queues").asInt()).isZero();
    assertThat(sent.path("receivers").asInt()).isZero();
    assertThat(sent.path("addressee").asText()).isEqualTo("unknown");
  }

  @Test
  void adminsAndNamedReadersReadAll() throws Exception {
    for (Caller caller : List.of(ADMIN, READER)) {
      JsonNode answer = subscribe(caller, "mad.direct.*", "mad.direct.bob", "mad.topic.end");
      assertThat(answer.path("status").asText()).isEqualTo("success");
      assertThat(answer.has("withheld")).isFalse();
      assertThat(taken(caller, "mad.direct.ann", "mad.direct.bob"))
          .containsExactly("mad.direct.ann", "mad.direct.bob");
      grace.call("grace_unsubscribe", "{'client_id':'%s'}".formatted(id(caller)), caller);
    }
  }

  @Test
  void withoutTokensNothingIsPrivate() throws Exception {
    assertThat(grace.subscribe("ann", "mad.direct.bob", "mad.*").has("withheld")).isFalse();
    grace.send("mad.direct.bob", "{}");
    assertThat(grace.pollWaiting("ann").path("messages")).hasSize(1);
  }

  @Test
  void aViewerFollowsTopicsAndTheBroadcastAndPolls() throws Exception {
    JsonNode answer = subscribe(VIEWER, "mad.*");
    assertThat(answer.path("withheld")).hasToString("[\"mad.direct.*\"]");
    assertThat(taken(VIEWER, "mad.direct.ann", "mad.direct.vic", "mad.topic.x", "mad.broadcast"))
        .containsExactly("mad.direct.vic", "mad.topic.x", "mad.broadcast");
    for (String topic :
        List.of("mad.direct.ann", "mad.stream.t1", "mad.system.presence", "mad.stream.*")) {
      assertThat(subscribe(VIEWER, topic).path("code").asText()).as(topic).isEqualTo("forbidden");
    }
    JsonNode sent =
        grace.call("grace_send_message", "{'channel':'mad.topic.x','payload':{}}", VIEWER);
    assertThat(sent.path("code").asText()).isEqualTo("forbidden");
    assertThat(sent.path("message").asText()).contains("needs operator");
    assertThat(
            grace.call("grace_unsubscribe", "{'client_id':'vic'}", VIEWER).path("status").asText())
        .isEqualTo("success");
  }

  @Test
  void aRoleThatReadsLessEndsTheQueueOfOneThatReadMore() throws Exception {
    Caller wasAdmin = new Caller(Optional.of("olga"), Role.ADMIN, "test");
    subscribe(wasAdmin, "mad.*");
    grace.send("mad.direct.ann", "{'secret':true}");
    await().atMost(Duration.ofSeconds(10)).until(() -> grace.metric("joshua.grace.matched") >= 1);

    JsonNode polled = poll(OPERATOR);

    assertThat(polled.path("code").asText()).isEqualTo("not_subscribed");
    assertThat(polled.path("gap").path("reason").asText()).isEqualTo("evicted");
    assertThat(subscribe(OPERATOR, "mad.*").path("withheld")).hasSize(1);
    assertThat(taken(OPERATOR, "mad.direct.ann")).isEmpty();
  }

  @Test
  void aRoleThatReadsMoreIsGivenMoreFromItsNextSubscriptionOn() throws Exception {
    subscribe(OPERATOR, "mad.*");
    assertThat(taken(OPERATOR, "mad.direct.ann")).isEmpty();
    Caller isAdmin = new Caller(Optional.of("olga"), Role.ADMIN, "test");
    JsonNode again = subscribe(isAdmin, "mad.topic.x");
    assertThat(again.has("withheld")).isFalse();
    assertThat(taken(isAdmin, "mad.direct.ann")).containsExactly("mad.direct.ann");
  }
}
