package joshua.integration;

import static joshua.integration.GraceCalls.succeeded;
import static joshua.integration.GraceCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import joshua.testing.Await;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;

/** What is sent to somebody away, or to a queue that is full or lost, comes by Dewey. */
class HandoverTest extends GroupTest {
  private String cursor;

  private JsonNode send(GraceCalls by, int number) {
    return succeeded(by.send(bob, toAnn, Map.of("text", "m" + number)));
  }

  private static List<String> numbered(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(i -> "m" + i).toList();
  }

  @Test
  void whatWasSentToSomebodyAwayComesOnceAndInOrder() {
    grace.subscribe(ann, toAnn);
    group.call("grace_unsubscribe", "client_id", ann);
    for (int i = 1; i <= 3; i++) {
      JsonNode sent = send(grace, i);
      assertThat(sent.path("addressee").asText()).isEqualTo("kept");
      assertThat(sent.path("kept").asBoolean()).isTrue();
    }
    JsonNode subscribed = grace.subscribe(ann, toAnn);
    assertThat(subscribed.path("kept").asInt()).as("%s", subscribed).isEqualTo(3);
    assertThat(subscribed.path("note").asText()).startsWith("3 messages to you waited");
    assertThat(subscribed.path("gap").isNull()).isTrue();
    JsonNode polled = grace.poll(ann);
    assertThat(texts(polled)).isEqualTo(numbered(1, 3));
    assertThat(polled.path("kept").asInt()).isEqualTo(3);
    assertThat(polled.has("redelivered")).isFalse();
    send(grace, 4);
    assertThat(texts(grace.poll(ann))).containsExactly("m4");
    assertThat(texts(grace.poll(ann))).isEmpty();
    group.call("grace_unsubscribe", "client_id", ann);
    assertThat(grace.subscribe(ann, toAnn).has("kept")).as("all was collected").isFalse();
  }

  @Test
  void aTopicThatNeverStopsKeepsNoMailAway() {
    String topic = "mad.topic." + names.of("flood");
    grace.subscribe(ann, toAnn, topic);
    for (int i = 1; i <= 150; i++) {
      send(grace, i);
      succeeded(grace.send(bob, topic, Map.of()));
    }
    List<String> all = new ArrayList<>();
    Await.until(
        "all mail has come",
        () -> {
          succeeded(grace.send(bob, topic, Map.of()));
          all.addAll(texts(grace.poll(ann)));
          return all.size() >= 150;
        });
    assertThat(all).isEqualTo(numbered(1, 150));
  }

  /** Lives of a relay beside Dewey, which ends after each. */
  @SafeVarargs
  private static void lives(Consumer<GraceCalls>... lives) {
    try (RedisServer redis = SharedRedis.another();
        TestGroup _ = TestGroup.of(redis, "dewey")) {
      for (Consumer<GraceCalls> each : lives) {
        try (TestGroup relay = TestGroup.of(redis, "grace")) {
          each.accept(new GraceCalls(relay));
        }
      }
    }
  }

  /** Gives ann two messages by her cursor, which is yet to be acknowledged. */
  private void give(GraceCalls relay) {
    cursor = relay.subscribe(ann, toAnn).path("cursor").asText();
    send(relay, 1);
    send(relay, 2);
    JsonNode polled = relay.poll(ann, "cursor", cursor);
    assertThat(texts(polled)).isEqualTo(numbered(1, 2));
    cursor = polled.path("cursor").asText();
  }

  private JsonNode subscribeFromCursor(GraceCalls relay) {
    return relay.call(
        "grace_subscribe", "client_id", ann, "topics", List.of(toAnn), "cursor", cursor);
  }

  @Test
  void afterARestartOfTheRelayWhatWaitedComesAndWhatWasReadDoesNot() {
    lives(
        relay -> {
          give(relay);
          IntStream.rangeClosed(3, 5).forEach(i -> send(relay, i));
        },
        relay -> {
          JsonNode subscribed = subscribeFromCursor(relay);
          assertThat(subscribed.path("kept").asInt()).as("%s", subscribed).isEqualTo(3);
          assertThat(subscribed.path("gap").isNull()).isTrue();
          assertThat(texts(relay.poll(ann))).isEqualTo(numbered(3, 5));
        },
        relay -> {
          JsonNode subscribed = relay.subscribe(ann, toAnn);
          assertThat(subscribed.has("kept")).as("%s", subscribed).isFalse();
        });
  }

  @Test
  void whatWasGivenAndPerhapsReadComesAgainMarked() {
    lives(
        this::give,
        relay -> {
          relay.subscribe(ann, toAnn);
          JsonNode again = relay.poll(ann);
          assertThat(texts(again)).isEqualTo(numbered(1, 2));
          assertThat(again.path("redelivered").asBoolean()).as("%s", again).isTrue();
        });
  }

  @Test
  void aWaitAfterARestartBringsBackNothingThatACursorHas() {
    lives(
        this::give,
        relay -> {
          UUID by = UUID.randomUUID();
          JsonNode rung = relay.call("grace_await", "client_id", ann, "holder", by, "wait_ms", 0);
          assertThat(rung.path("due").asBoolean()).as("an answer gave it: %s", rung).isFalse();
          assertThat(rung.path("waiting").asInt()).isZero();
          JsonNode subscribed = subscribeFromCursor(relay);
          assertThat(subscribed.has("kept")).as("%s", subscribed).isFalse();
          send(relay, 3);
          JsonNode polled = relay.poll(ann);
          assertThat(texts(polled)).containsExactly("m3");
          assertThat(polled.has("redelivered")).isFalse();
        });
  }

  @Test
  void whatComesAgainWithoutItsCursorIsMarkedAndComesAlone() {
    cursor = grace.subscribe(ann, toAnn).path("cursor").asText();
    send(grace, 1);
    JsonNode first = grace.poll(ann, "cursor", cursor);
    assertThat(texts(first)).containsExactly("m1");
    String id = first.at("/messages/0/message_id").asText();
    Await.value(
        "Dewey knows that it was given",
        () -> group.callDewey("dewey_trace", "message_id", id).path("next").asText(),
        (ann + " was given it, and hasn't asked for more since.")::equals);
    send(grace, 2);
    cursor = grace.subscribe(ann, toAnn).path("cursor").asText();
    assertThat(texts(group.call("grace_inbox", "client_id", ann)))
        .as("a look has all")
        .containsExactly("m1", "m2");
    JsonNode again = grace.poll(ann, "cursor", cursor);
    assertThat(texts(again)).containsExactly("m1");
    assertThat(again.path("redelivered").asBoolean()).isTrue();
    JsonNode next = grace.poll(ann, "cursor", again.path("cursor").asText());
    assertThat(texts(next)).containsExactly("m2");
    assertThat(next.has("redelivered")).isFalse();
  }
}
