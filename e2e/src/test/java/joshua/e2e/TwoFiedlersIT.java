package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.state.IntegrityCheck;
import joshua.testing.ModelDialect;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import joshua.testing.ScriptedModelServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests two Fiedlers in separate processes on one database, one of them killed in the middle: no
 * task is lost, and none is run twice except those that the dead one had begun (wire contract §4).
 */
final class TwoFiedlersIT {
  private static final int CALLS = 400;
  private static final int ENVELOPES = 20;
  private static final int TOLD_BEFORE_THE_KILL = 60;
  private static final ModelDialect OPENAI = ModelDialect.OPENAI;
  private static final Pattern NUMBER = Pattern.compile("a poem, number (\\d+);");
  private static final Pattern BEGINS =
      Pattern.compile("task ([0-9a-f-]{36}) begins, attempt (\\d+)");

  private final TestEnvironment environment = new TestEnvironment();
  private final RealRedis redis = environment.add(RealRedis.start());
  private final TaskStreamListener ear = environment.add(new TaskStreamListener(redis.raw()));
  private final Map<Integer, Integer> asked = new ConcurrentHashMap<>();
  private final CountDownLatch allAccepted = new CountDownLatch(1);

  @AfterEach
  void close() {
    environment.close();
  }

  /** Records which task asks, and answers its number when all are there. */
  private void answer(ScriptedModelServer.Exchange exchange) throws Exception {
    Matcher number = NUMBER.matcher(exchange.body());
    if (!number.find()) {
      exchange.status("400 Bad Request", "", "");
      return;
    }
    asked.merge(Integer.parseInt(number.group(1)), 1, Integer::sum);
    allAccepted.await();
    OPENAI.answer("the ", "number ", "is ", number.group(1)).on(exchange);
  }

  @Test
  void noTaskIsLostAndNoneIsRunTwiceButWhatTheDeadOneHadBegun() throws Exception {
    ScriptedModelServer models = environment.add(new ScriptedModelServer().otherwise(this::answer));
    List<String> settings = new ArrayList<>(SingleMadProcess.on(environment, redis, redis.url()));
    settings.addAll(ModelServer.settings("gpt-test", models.url(OPENAI.base).toString()));
    settings.add("JOSHUA_LOG_LEVEL=debug");
    SingleMadProcess one = SingleMadProcess.start(environment, "fiedler", settings);
    SingleMadProcess other = SingleMadProcess.start(environment, "fiedler", settings);
    Map<String, Integer> numbers = acceptAll(one, other);

    allAccepted.countDown();
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> ear.listen().toldOf().size() >= TOLD_BEFORE_THE_KILL);
    one.run().kill();

    assertThat(numbers).hasSize(CALLS + ENVELOPES);
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(200))
        .until(() -> ear.listen().toldOf().containsAll(numbers.keySet()));
    TaskReader reader = new TaskReader(other.client(environment));
    assertThat(reader.all()).hasSize(numbers.size());
    Map<String, List<Integer>> begunByDead = begun(one);
    Map<String, List<Integer>> begunByLiving = begun(other);
    System.out.printf(
        "%d tasks begun by the one that was killed, %d by the other, %d by both%n",
        begunByDead.size(),
        begunByLiving.size(),
        begunByDead.keySet().stream().filter(begunByLiving::containsKey).count());
    numbers.forEach((task, number) -> {
      check(task, number, reader.status(task));
      List<Integer> byDead = begunByDead.getOrDefault(task, List.of());
      List<Integer> byLiving = begunByLiving.getOrDefault(task, List.of());
      if (byLiving.isEmpty()) {
        assertThat(byDead).as(task).containsExactly(1);
      } else if (byDead.isEmpty()) {
        // It is the second attempt if the dead one was killed between taking the task and logging
        // that.
        assertThat(byLiving).as(task).hasSize(1).isSubsetOf(1, 2);
      } else {
        assertThat(byDead).as(task).containsExactly(1);
        assertThat(byLiving).as(task).containsExactly(2);
      }
      int attempts = byLiving.contains(2) ? 2 : 1;
      assertThat(asked.getOrDefault(number, 0)).as(task).isBetween(1, attempts);
    });
    assertThat(begunByDead).isNotEmpty();
    assertThat(begunByLiving).isNotEmpty();
    assertThat(other.run().terminate()).isZero();
    assertThat(IntegrityCheck.full(environment.data().resolve("fiedler/fiedler_state.db")))
        .isEmpty();
  }

  private void check(String task, int number, JsonNode ended) {
    String text = "the number is " + number;
    assertThat(ended.path("status").asText()).as("%s", ended).isEqualTo("COMPLETED");
    assertThat(ended.at("/result_payload/text").asText()).isEqualTo(text);
    assertThat(ear.voice(task).text()).isEqualTo(text);
    assertThat(ear.voice(task).faults()).isEmpty();
    assertThat(ear.notifications(task).stream().map(each -> each.path("message_id")).distinct())
        .hasSize(1);
  }

  /**
   * Submits half of the tasks to each by tools, and half as envelopes, which both receive; returns
   * the number of each task.
   */
  private Map<String, Integer> acceptAll(SingleMadProcess one, SingleMadProcess other) {
    List<FrameSocketClient> sockets =
        Stream.of(one, other).map(each -> each.client(environment)).toList();
    Map<Integer, CompletableFuture<JsonNode>> answers = new LinkedHashMap<>();
    for (int number = 0; number < CALLS; number++) {
      ObjectNode input = Json.object().put("requester_id", "ann").put("prompt", prompt(number));
      answers.put(number, sockets.get(number % 2).begin("fiedler_converse", input));
    }
    Map<String, Integer> numbers = new HashMap<>();
    answers.forEach((number, answer) ->
        numbers.put(FrameSocketClient.await(answer).path("task_id").asText(), number));
    try (RawRedis publisher = redis.raw()) {
      for (int number = CALLS; number < CALLS + ENVELOPES; number++) {
        numbers.put(byEnvelope(publisher, number), number);
      }
    }
    return numbers;
  }

  private static String prompt(int number) {
    return "write a poem, number %d;".formatted(number);
  }

  private String byEnvelope(RawRedis publisher, int number) {
    RawEnvelope envelope =
        RawEnvelope.on("mad.direct.fiedler")
            .from("bob")
            .payload("{\"prompt\":\"%s\"}".formatted(prompt(number)));
    assertThat(publisher.publish("mad.direct.fiedler", envelope.json())).isGreaterThanOrEqualTo(2);
    List<JsonNode> answers =
        await()
            .until(
                () -> ear.listen().answers(envelope.text("correlation_id")),
                each -> each.size() == 2);
    assertThat(answers.stream().map(answer -> answer.path("task_id")).distinct()).hasSize(1);
    return answers.getFirst().path("task_id").asText();
  }

  /** The tasks that a Fiedler reports to have begun, each with its attempts there. */
  private static Map<String, List<Integer>> begun(SingleMadProcess fiedler) {
    Map<String, List<Integer>> begun = new HashMap<>();
    Matcher begins = BEGINS.matcher(fiedler.run().err());
    while (begins.find()) {
      begun
          .computeIfAbsent(begins.group(1), _ -> new ArrayList<>())
          .add(Integer.parseInt(begins.group(2)));
    }
    return begun;
  }
}
