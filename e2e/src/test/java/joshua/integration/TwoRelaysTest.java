package joshua.integration;

import static joshua.integration.FrameClient.input;
import static joshua.integration.GraceCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import joshua.testing.Await;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;

/** Two groups on one Redis: their relays know of each other's clients. */
class TwoRelaysTest {
  @Test
  void aClientOfAnotherRelayIsReachedAndIsSaidToBeThere() {
    try (RedisServer redis = SharedRedis.another();
        TestGroup one = new TestGroup(redis)) {
      GraceCalls here = new GraceCalls(one);
      try (TestGroup two = new TestGroup(redis)) {
        GraceCalls there = new GraceCalls(two);
        there.subscribe("bob", "mad.direct.bob");
        JsonNode sent =
            Await.value(
                "the other relay has reported",
                () -> here.send("ann", "mad.direct.bob", Map.of()),
                answer -> answer.path("addressee").asText().equals("queued"));
        assertThat(sent.path("relay").asText()).isNotEmpty();
        assertThat(sent.path("receivers").asLong()).isEqualTo(1);
        there.poll("bob");

        FrameClient ann = one.client();
        ann.begin("grace_request", input("client_id", "ann", "to", "bob", "payload", Map.of()));
        JsonNode question = there.poll("bob", "wait_ms", 60_000).at("/messages/0");
        there.reply("bob", question, Map.of("n", 2));
        assertThat(ann.next().at("/reply/payload/n").asInt()).isEqualTo(2);

        JsonNode twice = here.subscribe("bob", "mad.direct.bob", "mad.topic.x");
        assertThat(twice.path("also_at")).hasSize(1).contains(sent.path("relay"));
        assertThat(here.poll("bob").path("note").asText()).contains(sent.path("relay").asText());
      }
      Await.until("the other relay is known to have left", () -> !here.poll("bob").has("note"));
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
}
