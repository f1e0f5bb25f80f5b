package joshua.integration;

import static joshua.integration.FrameClient.input;
import static joshua.integration.GraceCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import joshua.testing.Await;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;

/** Two groups on one Redis: their relays know of each other's clients. */
class TwoRelaysTest {
  @Test
  void aClientOfAnotherRelayIsReachedAndIsSaidToBeThere() {
    try (RedisServer redis = SharedRedis.another();
        TestGroup one = new TestGroup(redis);
        FrameClient ann = one.client()) {
      try (TestGroup two = new TestGroup(redis);
          FrameClient bob = two.client()) {
        bob.succeed("grace_subscribe", input("client_id", "bob", "topics", "mad.direct.bob"));
        JsonNode sent =
            Await.value(
                "the other relay has reported",
                () -> send(ann),
                answer -> answer.path("addressee").asText().equals("queued"));
        assertThat(sent.path("relay").asText()).isNotEmpty();
        assertThat(sent.path("receivers").asLong()).isEqualTo(1);
        bob.succeed("grace_poll_messages", input("client_id", "bob"));

        ann.begin(
            "grace_request", input("client_id", "ann", "to", "bob", "payload", Map.of("n", 1)));
        JsonNode question =
            bob.succeed("grace_poll_messages", input("client_id", "bob", "wait_ms", 60_000))
                .path("messages")
                .path(0);
        bob.succeed(
            "grace_send_message",
            input(
                "client_id",
                "bob",
                "channel",
                "mad.direct.ann",
                "payload",
                Map.of("n", 2),
                "correlation_id",
                question.path("correlation_id").asText()));
        assertThat(ann.next().at("/reply/payload/n").asInt()).isEqualTo(2);

        JsonNode twice =
            ann.succeed(
                "grace_subscribe",
                input("client_id", "bob", "topics", List.of("mad.direct.bob", "mad.topic.x")));
        assertThat(twice.path("also_at")).hasSize(1).contains(sent.path("relay"));
        JsonNode poll = ann.succeed("grace_poll_messages", input("client_id", "bob"));
        assertThat(poll.path("note").asText()).contains(sent.path("relay").asText());
      }
      Await.until(
          "the other relay is known to have left",
          () -> !ann.succeed("grace_poll_messages", input("client_id", "bob")).has("note"));
    }
  }

  @Test
  void whatAClientHasGotByOneRelayDoesNotComeByTheOther() {
    String toAnn = "mad.direct.ann";
    try (RedisServer redis = SharedRedis.another();
        TestGroup archive = TestGroup.of(redis, "dewey");
        TestGroup one = TestGroup.of(redis, "grace");
        TestGroup two = TestGroup.of(redis, "grace")) {
      GraceCalls first = new GraceCalls(one);
      GraceCalls second = new GraceCalls(two);
      first.subscribe("ann", toAnn);
      first.send("bob", toAnn, Map.of("text", "m1"));
      first.send("bob", toAnn, Map.of("text", "m2"));
      second.subscribe("ann", toAnn);
      assertThat(texts(second.poll("ann"))).containsExactly("m1", "m2");
      assertThat(texts(second.poll("ann"))).isEmpty();
      Await.until(
          "Dewey knows that they were collected",
          () -> archive.callDewey("dewey_mail", "client_id", "ann").path("messages").isEmpty());
      first.send("bob", toAnn, Map.of("text", "m3"));
      assertThat(texts(first.poll("ann"))).containsExactly("m3");
    }
  }

  private static JsonNode send(FrameClient ann) {
    return ann.succeed(
        "grace_send_message",
        input("client_id", "ann", "channel", "mad.direct.bob", "payload", Map.of()));
  }
}
