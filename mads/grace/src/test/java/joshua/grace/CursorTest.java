package joshua.grace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import joshua.grace.tool.PollTool;
import joshua.testing.RealRedis;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Cursors, long polls and missed messages (+GR-05, +GR-06). */
final class CursorTest {
  private static RealRedis redis;
  private RunningGrace grace;

  @BeforeAll
  static void startRedis() {
    redis = RealRedis.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  @BeforeEach
  void startGrace() throws Exception {
    grace = RunningGrace.on(redis);
  }

  @AfterEach
  void stopGrace() {
    grace.close();
  }

  private void arrive(int from, int to) throws Exception {
    double before = grace.metric("joshua.grace.matched");
    for (int i = from; i <= to; i++) {
      grace.send("mad.topic.n", "{'n':%d}".formatted(i));
    }
    await().until(() -> grace.metric("joshua.grace.matched") == before + to - from + 1);
  }

  private static List<Integer> numbers(JsonNode polled) {
    return StreamSupport.stream(polled.path("messages").spliterator(), false)
        .map(message -> message.path("payload").path("n").asInt())
        .toList();
  }

  @Test
  void anAnswerThatWasLostIsGivenAgainUntilAcknowledged() throws Exception {
    JsonNode start = grace.subscribe("ann", "mad.topic.n");
    arrive(1, 3);

    JsonNode lost = grace.pollFrom("ann", start);
    JsonNode again = grace.pollFrom("ann", start);

    assertThat(numbers(lost)).containsExactly(1, 2, 3);
    assertThat(numbers(again)).containsExactly(1, 2, 3);
    arrive(4, 4);
    JsonNode next = grace.pollFrom("ann", again);
    assertThat(numbers(next)).containsExactly(4);
    assertThat(next.path("gap").isNull()).isTrue();
    assertThat(numbers(grace.pollFrom("ann", next))).isEmpty();
    // An older cursor undoes nothing, and acknowledged messages aren't reported as missed.
    JsonNode older = grace.pollFrom("ann", start);
    assertThat(numbers(older)).isEmpty();
    assertThat(older.path("gap").isNull()).isTrue();
  }

  @Test
  void whatWasTakenWithoutACursorIsNotCalledMissedWhenSubscribingWithAnOldOne() throws Exception {
    JsonNode start = grace.subscribe("ann", "mad.topic.n");
    arrive(1, 3);
    assertThat(numbers(grace.poll("ann"))).containsExactly(1, 2, 3);

    JsonNode again =
        grace.call(
            "grace_subscribe",
            "{'client_id':'ann','topics':['mad.topic.n'],'cursor':'%s'}"
                .formatted(start.path("cursor").asText()));

    assertThat(again.path("status").asText()).isEqualTo("success");
    assertThat(again.path("gap").isNull()).as(again.toString()).isTrue();
  }

  @Test
  void theGapIsRepeatedUntilItIsAcknowledged() throws Exception {
    JsonNode start = grace.subscribe("ann", "mad.topic.n");
    arrive(1, 105);

    JsonNode first = grace.pollFrom("ann", start);
    JsonNode repeated = grace.pollFrom("ann", start);
    JsonNode acknowledged = grace.pollFrom("ann", repeated);

    assertThat(first.path("gap").path("missed").asInt()).isEqualTo(5);
    assertThat(repeated.path("gap")).isEqualTo(first.path("gap"));
    assertThat(acknowledged.path("gap").isNull()).isTrue();
  }

  @Test
  void whatWasSeenBeforeItWasDroppedIsNotCalledMissed() throws Exception {
    JsonNode start = grace.subscribe("ann", "mad.topic.n");
    arrive(1, 50);
    JsonNode seen = grace.pollFrom("ann", start);
    arrive(51, 152);

    JsonNode next = grace.pollFrom("ann", seen);

    // 1 to 52 were dropped; of them only 51 and 52 had never been returned.
    assertThat(next.path("gap").path("missed").asInt()).isEqualTo(2);
    assertThat(numbers(next)).startsWith(53).endsWith(152).hasSize(100);
  }

  @Test
  void aPageHoldsTheOldestAndSaysHowManyRemain() throws Exception {
    grace.subscribe("ann", "mad.topic.n");
    arrive(1, 5);

    JsonNode page = grace.call("grace_poll_messages", "{'client_id':'ann','max_messages':2}");

    assertThat(numbers(page)).containsExactly(1, 2);
    assertThat(page.path("remaining").asInt()).isEqualTo(3);
    assertThat(numbers(grace.poll("ann"))).containsExactly(3, 4, 5);
  }

  @Test
  @TriesLimit("grace.answer")
  void anAnswerHoldsAtMostTwoMebibytes() throws Exception {
    grace.subscribe("ann", "mad.topic.n");
    String large = "x".repeat(900_000);
    for (int i = 0; i < 3; i++) {
      grace.send("mad.topic.n", "{'n':%d,'x':'%s'}".formatted(i, large));
    }
    await().until(() -> grace.metric("joshua.grace.matched") == 3);

    JsonNode page = grace.poll("ann");

    assertThat(numbers(page)).containsExactly(0, 1);
    assertThat(page.path("remaining").asInt()).isEqualTo(1);
    assertThat(numbers(grace.poll("ann"))).containsExactly(2);
  }

  @Test
  void aLongPollAnswersAsSoonAsSomethingComes() throws Exception {
    grace.subscribe("ann", "mad.topic.n");
    CompletableFuture<JsonNode> waiting =
        grace.begin("grace_poll_messages", "{'client_id':'ann','wait_ms':20000}");
    assertThat(waiting).isNotDone();

    arrive(1, 1);

    assertThat(numbers(waiting.get(2, TimeUnit.SECONDS))).containsExactly(1);
  }

  @Test
  void aLongPollEndsEmptyWhenItsTimeIsUp() throws Exception {
    grace.subscribe("ann", "mad.topic.n");
    long began = System.nanoTime();
    JsonNode empty = grace.call("grace_poll_messages", "{'client_id':'ann','wait_ms':300}");
    assertThat(numbers(empty)).isEmpty();
    assertThat(System.nanoTime() - began).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(299));
  }

  @Test
  @TriesLimit("grace.wait")
  void oneMillisecondTooLongIsNoWait() throws Exception {
    grace.subscribe("ann", "mad.topic.n");
    arrive(1, 1);
    String poll = "{'client_id':'ann','wait_ms':%d}";
    JsonNode refused = grace.call("grace_poll_messages", poll.formatted(PollTool.MAX_WAIT_MS + 1));
    assertThat(refused.path("code").asText()).isEqualTo("invalid_input");
    assertThat(refused.path("message").asText()).contains("wait_ms", "25000");
    assertThat(numbers(grace.call("grace_poll_messages", poll.formatted(PollTool.MAX_WAIT_MS))))
        .containsExactly(1);
  }

  @Test
  void aSecondPollMakesTheFirstAnswerEmpty() throws Exception {
    grace.subscribe("ann", "mad.topic.n");
    CompletableFuture<JsonNode> first =
        grace.begin("grace_poll_messages", "{'client_id':'ann','wait_ms':20000}");
    CompletableFuture<JsonNode> second =
        grace.begin("grace_poll_messages", "{'client_id':'ann','wait_ms':20000}");

    assertThat(numbers(first.get(2, TimeUnit.SECONDS))).isEmpty();
    arrive(1, 1);
    assertThat(numbers(second.get(2, TimeUnit.SECONDS))).containsExactly(1);
  }

  @Test
  void aCursorThatWasNeverIssuedIsRefused() throws Exception {
    JsonNode ann = grace.subscribe("ann", "mad.topic.n");
    grace.subscribe("bob", "mad.topic.n");
    String cursor = ann.path("cursor").asText();
    String forged = cursor.substring(0, cursor.length() - 3) + "AAA";

    for (String wrong : List.of("nonsense", "", forged)) {
      JsonNode refused =
          grace.call("grace_poll_messages", "{'client_id':'ann','cursor':'%s'}".formatted(wrong));
      assertThat(refused.path("code").asText()).as(wrong).isEqualTo("invalid_input");
      assertThat(refused.path("message").asText()).contains("cursor");
    }
    assertThat(grace.pollFrom("bob", ann).path("code").asText()).isEqualTo("invalid_input");
  }

  private JsonNode subscribeFrom(String client, JsonNode earlier) throws Exception {
    return grace.call(
        "grace_subscribe",
        "{'client_id':'%s','topics':['mad.topic.n'],'cursor':'%s'}"
            .formatted(client, earlier.path("cursor").asText()));
  }

  @Test
  void whoHasUnsubscribedWasNotEvicted() throws Exception {
    JsonNode first = grace.subscribe("ann", "mad.topic.n");
    arrive(1, 2);
    grace.call("grace_unsubscribe", "{'client_id':'ann'}");
    assertThat(grace.pollFrom("ann", first).path("gap").isMissingNode()).isTrue();

    JsonNode back = subscribeFrom("ann", first);
    assertThat(back.path("status").asText()).isEqualTo("success");
    assertThat(back.path("gap").isNull()).as(back.toString()).isTrue();
    arrive(3, 3);
    // The same holds for a client that continues with the cursor of a queue it gave up, now that it
    // has another.
    assertThat(subscribeFrom("ann", first).path("gap").isNull()).isTrue();
    JsonNode polled = grace.pollFrom("ann", first);
    assertThat(polled.path("gap").isNull()).as(polled.toString()).isTrue();
    assertThat(numbers(polled)).containsExactly(3);
  }

  @Test
  void aRestartIsToldToTheHolderOfAnOldCursor() throws Exception {
    JsonNode old = grace.subscribe("ann", "mad.topic.n");
    try (RunningGrace restarted = RunningGrace.on(redis)) {
      JsonNode refused = restarted.pollFrom("ann", old);
      assertThat(refused.path("code").asText()).isEqualTo("not_subscribed");
      assertThat(refused.path("gap").path("reason").asText()).isEqualTo("restart");
      assertThat(refused.path("gap").path("missed").isNull()).isTrue();

      JsonNode back =
          restarted.call(
              "grace_subscribe",
              "{'client_id':'ann','topics':['mad.topic.n'],'cursor':'%s'}"
                  .formatted(old.path("cursor").asText()));

      assertThat(back.path("gap").path("reason").asText()).isEqualTo("restart");
      assertThat(back.path("epoch")).isNotEqualTo(old.path("epoch"));
      assertThat(restarted.pollFrom("ann", back).path("gap").isNull()).isTrue();
    }
  }
}
