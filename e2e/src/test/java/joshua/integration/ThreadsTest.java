package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.testing.Await;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Threads at Dewey; the numbers are those of the statements in the requirements of threads. */
class ThreadsTest extends GroupTest {
  private final String cid = names.of("cid");
  private String thread;

  @BeforeEach
  void open() {
    Object[] input = {"client_id", ann, "title", "schema", "participants", List.of(bob, cid)};
    JsonNode created = GraceCalls.succeeded(group.callDewey("dewey_create_thread", input));
    thread = created.path("thread_id").asText();
  }

  private static ObjectNode text(String text) {
    return Json.object().put("text", text);
  }

  private JsonNode post(String name, String text, Object... more) {
    return group.callDewey(
        "dewey_post", "client_id", name, "thread_id", thread, "body", text(text), more);
  }

  private JsonNode read(String name, Object... more) {
    return group.callDewey("dewey_read_thread", "client_id", name, "thread_id", thread, more);
  }

  private JsonNode set(String name, String status, Object... more) {
    Object[] input = {"client_id", name, "thread_id", thread, "thread_status", status};
    return group.callDewey("dewey_thread_status", input, more);
  }

  private static List<Integer> numbers(JsonNode page) {
    return page.path("posts").valueStream().map(post -> post.path("seq").asInt()).toList();
  }

  /** The code of the answer to an operator, who calls by the bus. */
  private String codeOf(String name, String tool, Object... input) throws Exception {
    String payload = "{\"%s\":%s}".formatted(tool, FrameClient.input(input));
    try (RawRedis mine = redis.connect()) {
      mine.call("SUBSCRIBE", "mad.direct." + name);
      RawEnvelope call = RawEnvelope.on("mad.direct.dewey").from(name).payload(payload);
      publish("mad.direct.dewey", call.json());
      return Await.value(
              "the answer",
              () -> GraceCalls.heard(mine),
              heard -> heard.path("correlation_id").asText().equals(call.text("correlation_id")))
          .at("/payload/code")
          .asText("success");
    }
  }

  /** Not on the common pool, which answers need. */
  private static CompletableFuture<JsonNode> meanwhile(Supplier<JsonNode> call) {
    return CompletableFuture.supplyAsync(call, Thread::startVirtualThread);
  }

  @Test
  void t3FiftyParallelPostersGetOneToFifty() {
    List<CompletableFuture<JsonNode>> posts =
        IntStream.range(0, 50)
            .mapToObj(
                i -> CompletableFuture.supplyAsync(() -> post(i % 2 == 0 ? ann : bob, "p" + i)))
            .toList();
    assertThat(posts.stream().map(each -> each.join().path("seq").asInt()))
        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, 50).boxed().toList());
    assertThat(numbers(read(cid))).isSorted().hasSize(50).doesNotHaveDuplicates();
  }

  @Test
  void t4AndT5ARetryIsOnePostAndAnotherBodyAConflict() {
    JsonNode first = GraceCalls.succeeded(post(ann, "a", "idempotency_key", "k"));
    assertThat(post(ann, "a", "idempotency_key", "k")).isEqualTo(first);
    assertThat(GraceCalls.code(post(ann, "b", "idempotency_key", "k"))).isEqualTo("conflict");
    assertThat(post(bob, "b", "idempotency_key", "k").path("seq").asInt()).isEqualTo(2);
    set(ann, "closed");
    assertThat(post(ann, "a", "idempotency_key", "k").path("seq").asInt())
        .as("also when it is closed")
        .isEqualTo(1);
  }

  @Test
  void t6ToT8PagesAndPositions() {
    IntStream.rangeClosed(1, 5).forEach(i -> post(ann, "p" + i));
    JsonNode page = read(bob, "limit", 2);
    assertThat(numbers(page)).containsExactly(1, 2);
    assertThat(page.path("remaining").asInt()).isEqualTo(3);
    assertThat(numbers(read(bob, "after_seq", page.path("next_seq").asInt())))
        .containsExactly(3, 4, 5);
    JsonNode end = read(bob, "after_seq", 5);
    assertThat(end.path("posts")).isEmpty();
    assertThat(end.path("next_seq").asInt()).isEqualTo(5);
    assertThat(unread(end)).isEqualTo(5);
    assertThat(unread(read(bob, "acknowledge", 3))).isEqualTo(2);
    assertThat(GraceCalls.code(read(bob, "acknowledge", 2))).isEqualTo("conflict");
    assertThat(GraceCalls.code(read(bob, "acknowledge", 6))).isEqualTo("invalid_input");
    assertThat(unread(read(bob, "acknowledge", 3))).isEqualTo(2);
    assertThat(group.callDewey("dewey_threads", "client_id", bob).at("/threads/0/unread").asInt())
        .isEqualTo(2);
  }

  private int unread(JsonNode page) {
    return page.path("members")
        .valueStream()
        .filter(each -> each.path("name").asText().equals(bob))
        .findFirst()
        .orElseThrow()
        .path("unread")
        .asInt();
  }

  @Test
  void t9AndT10OneOfTwoChangesWins() {
    List<CompletableFuture<JsonNode>> both =
        Stream.of("blocked", "resolved")
            .map(next -> meanwhile(() -> set(ann, next, "expected", "active")))
            .toList();
    assertThat(both.stream().map(each -> each.join().path("code").asText("-")))
        .containsExactlyInAnyOrder("-", "conflict");
    set(ann, "active");
    assertThat(GraceCalls.code(set(ann, "nothing"))).isEqualTo("invalid_input");
    GraceCalls.succeeded(set(ann, "closed", "override", true, "reason", "done"));
    assertThat(GraceCalls.code(set(ann, "active"))).as("closed is final").isEqualTo("conflict");
    GraceCalls.succeeded(set(ann, "closed"));
    assertThat(read(ann).path("posts").findValuesAsText("text"))
        .as("each change is a post")
        .endsWith(ann + " set this thread to closed: done");
  }

  @Test
  void t1T11AndT12OnlyMembersAndOnlyItsCoordinatorClosesIt() throws Exception {
    String eve = names.of("eve");
    Object[] input = {"client_id", eve, "thread_id", thread};
    assertThat(codeOf(eve, "read_thread", input)).isEqualTo("forbidden");
    assertThat(codeOf(eve, "post", input, "body", text("x"))).isEqualTo("forbidden");
    assertThat(codeOf(eve, "thread_status", input, "thread_status", "blocked"))
        .isEqualTo("forbidden");
    assertThat(codeOf(eve, "read_thread", "client_id", bob, "thread_id", thread))
        .as("T2")
        .isEqualTo("forbidden");
    assertThat(codeOf(bob, "read_thread", "client_id", bob, "thread_id", UUID.randomUUID()))
        .isEqualTo("unknown_thread");
    Object[] blocked = {"client_id", bob, "thread_id", thread, "thread_status", "blocked"};
    assertThat(codeOf(bob, "thread_status", blocked)).isEqualTo("success");
    Object[] close = {
      "thread_id", thread, "thread_status", "closed", "override", true, "reason", "x"
    };
    assertThat(codeOf(bob, "thread_status", close, "client_id", bob)).isEqualTo("forbidden");
    assertThat(GraceCalls.code(set(ann, "closed"))).isEqualTo("forbidden");
    assertThat(codeOf(ann, "thread_status", close, "client_id", ann)).isEqualTo("success");
    assertThat(GraceCalls.code(post(ann, "x"))).isEqualTo("conflict");
  }

  @Test
  void m14AWaitEndsWithThePostAndTakesNothingElse() {
    CompletableFuture<JsonNode> waiting = meanwhile(() -> read(bob, "wait_ms", 60_000));
    grace.subscribe(bob, toBob);
    grace.send(cid, toBob, text("other"));
    GraceCalls.succeeded(post(ann, "now"));
    assertThat(waiting.join().at("/posts/0/body/text").asText()).isEqualTo("now");
    assertThat(GraceCalls.texts(grace.poll(bob, "wait_ms", 10_000))).contains("other");
    assertThat(read(bob, "after_seq", 1, "wait_ms", 1).path("posts")).isEmpty();
  }

  /** Statement 24: to who polls, who is away, and who listens by Redis. */
  @Test
  void m12APostReachesEachOtherMemberOnce() throws Exception {
    grace.subscribe(ann, toAnn);
    grace.subscribe(bob, toBob);
    try (RawRedis cids = redis.connect()) {
      cids.call("SUBSCRIBE", "mad.direct." + cid);
      JsonNode posted = post(ann, "schema v2 is in", "kind", "event");
      JsonNode second = post(bob, "good", "in_reply_to", 1);
      JsonNode copy = GraceCalls.heard(cids);
      assertThat(copy.path("message_id")).isEqualTo(posted.path("message_id"));
      assertThat(copy.path("conversation_id").asText()).isEqualTo(thread);
      assertThat(copy.path("sender_id").asText()).isEqualTo(ann);
      assertThat(copy.at("/payload/thread"))
          .isEqualTo(
              Json.parse(
                  """
                  {"id":"%s","title":"schema","status":"active","seq":1,"kind":"event","in_reply_to":null}
                  """
                      .formatted(thread)));
      assertThat(GraceCalls.heard(cids).path("message_id")).isEqualTo(second.path("message_id"));
      assertThat(GraceCalls.texts(grace.poll(bob, "wait_ms", 60_000)))
          .containsExactly("schema v2 is in");
      assertThat(GraceCalls.texts(grace.poll(ann, "wait_ms", 60_000))).containsExactly("good");
      Await.until("cid's mail", () -> mail(cid).size() == 2);
      read(cid, "acknowledge", 1);
      assertThat(mail(cid)).as("what is acknowledged doesn't wait").hasSize(1);
    }
  }

  @Test
  void m13TheLatestOfEachOnATopic() {
    String topic = "mad.topic." + names.of("build");
    grace.send(ann, topic, Json.object().put("percent", 10));
    grace.send(bob, topic, Json.object().put("percent", 50));
    grace.send(ann, topic, Json.object().put("percent", 80));
    Object[] query = {"name", "latest", "arguments", Json.object().put("channel", topic)};
    JsonNode answer =
        Await.value(
            "all of them",
            () -> group.callDewey("dewey_query", query),
            latest -> latest.at("/rows/0/payload").asText().contains("80"));
    assertThat(answer.path("rows").findValuesAsText("sender_id")).containsExactly(ann, bob);
  }

  private JsonNode mail(String name) {
    return group.callDewey("dewey_mail", "client_id", name).path("messages");
  }
}
