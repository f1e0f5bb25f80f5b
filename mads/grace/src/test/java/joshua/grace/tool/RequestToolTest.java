package joshua.grace.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import joshua.grace.RunningGrace;
import joshua.kernel.Json;
import joshua.testing.RawEnvelope;
import joshua.testing.RawListener;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code grace_request}: one question, one reply, no queue (wire contract §3). */
final class RequestToolTest {
  private RealRedis redis;
  private RunningGrace grace;
  private RawRedis raw;
  private RawListener bob;

  @BeforeEach
  void start() throws Exception {
    redis = RealRedis.start();
    grace = RunningGrace.on(redis);
    raw = redis.raw();
    bob = RawListener.on(redis, "mad.direct.bob");
  }

  @AfterEach
  void stop() {
    bob.close();
    raw.close();
    grace.close();
    redis.close();
  }

  private CompletableFuture<JsonNode> ask(String more) {
    return grace.begin("grace_request", "{'to':'bob','payload':{'n':1}%s}".formatted(more));
  }

  /** The request that bob received; what was sent to find out whether bob is there has no n. */
  private ObjectNode heardRequest() {
    return await()
        .until(
            () ->
                bob.heard().stream()
                    .map(heard -> Json.object(heard.body()))
                    .filter(heard -> heard.path("payload").has("n"))
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private void say(String to, String correlation, String payload) {
    raw.publish(
        "mad.direct." + to,
        RawEnvelope.on("mad.direct." + to)
            .from("bob")
            .payload(payload)
            .withText("correlation_id", correlation)
            .json());
  }

  private static JsonNode answer(CompletableFuture<JsonNode> asked) throws Exception {
    return asked.get(30, TimeUnit.SECONDS);
  }

  /**
   * Bob is there; it listens on its channel by a glob, and is therefore known only by what it
   * sends.
   */
  @BeforeEach
  void hearBob() throws Exception {
    await().until(() -> raw.subscribers("mad.system.heartbeat") == 1);
    raw.publish(
        "mad.system.heartbeat",
        RawEnvelope.on("mad.system.heartbeat").from("bob").payload("{\"detail\":{}}").json());
    await()
        .until(
            () -> grace.send("mad.direct.bob", "{}").path("addressee").asText().equals("present"));
  }

  @Test
  void theReplyComesWithoutAQueue() throws Exception {
    CompletableFuture<JsonNode> asked = ask(",'client_id':'ann'");
    ObjectNode request = heardRequest();
    assertThat(request.path("sender_id").asText()).isEqualTo("ann");
    assertThat(request.at("/payload/n").asInt()).isEqualTo(1);

    say("ann", request.path("correlation_id").asText(), "{\"n\":2}");

    JsonNode answer = answer(asked);
    assertThat(answer.path("status").asText()).isEqualTo("success");
    assertThat(answer.path("message_id")).isEqualTo(request.path("message_id"));
    assertThat(answer.path("correlation_id")).isEqualTo(request.path("correlation_id"));
    assertThat(answer.at("/reply/sender_id").asText()).isEqualTo("bob");
    assertThat(answer.at("/reply/payload/n").asInt()).isEqualTo(2);
    await().until(() -> raw.subscribers("mad.direct.ann") == 0);
  }

  @Test
  void theReplyIsNotQueuedAndWhatElseComesIs() throws Exception {
    grace.subscribe("ann", "mad.direct.ann");
    grace.subscribe("eve", "mad.direct.*");
    CompletableFuture<JsonNode> asked = ask(",'client_id':'ann'");
    String correlation = heardRequest().path("correlation_id").asText();
    say("ann", UUID.randomUUID().toString(), "{\"n\":\"before\"}");
    say("ann", correlation, "{\"n\":\"reply\"}");
    say("ann", correlation, "{\"n\":\"afterthought\"}");
    assertThat(answer(asked).at("/reply/payload/n").asText()).isEqualTo("reply");

    await().until(() -> grace.state("queues").path("waiting").asInt() >= 2 + 3);
    assertThat(grace.poll("ann").path("messages").findValuesAsText("n"))
        .containsExactly("before", "afterthought");
    assertThat(grace.poll("eve").path("messages").findValuesAsText("n"))
        .contains("before", "reply", "afterthought");
  }

  @Test
  void aReplyThatIsLateIsQueued() throws Exception {
    grace.subscribe("ann", "mad.direct.ann");
    JsonNode none = answer(ask(",'client_id':'ann','timeout_ms':100"));
    assertThat(none.path("reply").isNull()).isTrue();
    assertThat(none.path("addressee").asText()).isEqualTo("present");
    assertThat(none.path("gap").isNull()).isTrue();

    say("ann", heardRequest().path("correlation_id").asText(), "{\"n\":\"late\"}");

    assertThat(grace.pollWaiting("ann").at("/messages/0/payload/n").asText()).isEqualTo("late");
  }

  @Test
  void whereNobodyIsItIsSaidAtOnce() throws Exception {
    long began = System.nanoTime();
    JsonNode answer =
        grace.call("grace_request", "{'to':'nobody','payload':{},'timeout_ms':25000}");
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
    assertThat(answer.path("reply").isNull()).isTrue();
    assertThat(answer.path("receivers").asInt()).isZero();
    assertThat(answer.path("addressee").asText()).isEqualTo("unknown");
  }

  @Test
  void whoAsksItselfOrAsAnotherIsRefused() throws Exception {
    JsonNode itself = grace.call("grace_request", "{'to':'bob','payload':{},'client_id':'bob'}");
    assertThat(itself.path("code").asText()).isEqualTo("invalid_input");
    assertThat(itself.path("message").asText()).startsWith("to must be another");
    JsonNode another =
        grace.call(
            "grace_request", "{'to':'bob','payload':{},'client_id':'ann'}", Optional.of("eve"));
    assertThat(another.path("code").asText()).isEqualTo("forbidden");
    for (String bad :
        List.of(
            "'to':'bob','timeout_ms':25001",
            "'to':'bob','timeout_ms':0",
            "'to':'a b'",
            "'to':null")) {
      JsonNode refused = grace.call("grace_request", "{%s,'payload':{}}".formatted(bad));
      assertThat(refused.path("code").asText()).as(bad).isEqualTo("invalid_input");
    }
  }
}
