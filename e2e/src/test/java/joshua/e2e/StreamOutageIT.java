package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import joshua.testing.FaultProxy;
import joshua.testing.ModelDialect;
import joshua.testing.NetworkFault;
import joshua.testing.RawListener;
import joshua.testing.RealRedis;
import joshua.testing.ScriptedModelServer;
import joshua.testing.UnixSignals;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Redis is killed while a task streams (wire contract §2). */
final class StreamOutageIT {
  private static final ModelDialect OPENAI = ModelDialect.OPENAI;
  private static final String BEFORE = words(0, 20);
  private static final String AFTER = words(20, 60);

  /** Attempts to reconnect are at most 10 s apart, and each may take 3 s. */
  private static final Duration BACK_WITHIN = Duration.ofSeconds(30);

  private final TestEnvironment environment = new TestEnvironment();
  private final CountDownLatch goOn = new CountDownLatch(1);

  @AfterEach
  void close() {
    goOn.countDown();
    environment.close();
  }

  private static String words(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "word " + i + " ").collect(Collectors.joining());
  }

  private List<String> settings() throws Exception {
    ScriptedModelServer models =
        environment.add(
            new ScriptedModelServer()
                .otherwise(exchange -> {
                  exchange.open(OPENAI.contentType);
                  exchange.chunk(OPENAI.begin());
                  say(exchange, BEFORE);
                  goOn.await();
                  say(exchange, AFTER);
                  exchange.chunk(OPENAI.end("stop"));
                  exchange.end();
                }));
    return ModelServer.settings("gpt-test", models.url(OPENAI.base).toString());
  }

  private static void say(ScriptedModelServer.Exchange exchange, String text) throws Exception {
    for (String word : text.split("(?<= )")) {
      exchange.chunk(OPENAI.token(word));
    }
  }

  private static String ask(FrameSocketClient fiedler) {
    return fiedler
        .call("fiedler_converse", "{'prompt':'write a long poem','requester_id':'ann'}")
        .path("task_id")
        .asText();
  }

  private static JsonNode ended(TaskReader reader, String task) {
    return await()
        .atMost(BACK_WITHIN)
        .until(() -> reader.status(task), each -> TaskReader.isFinal(each.path("status").asText()));
  }

  private static String joined(List<JsonNode> frames) {
    return frames.stream().map(frame -> frame.path("token").asText()).collect(Collectors.joining());
  }

  /** The connection is cut so that the listener is back before Fiedler is. */
  @Test
  void theResultIsKeptWhileRedisIsAwayAndTheStreamGoesOnWhereItWas() throws Exception {
    RealRedis redis = environment.add(RealRedis.start());
    FaultProxy network = environment.add(FaultProxy.before(redis.port()));
    TaskStreamListener before = environment.add(new TaskStreamListener(redis.raw()));
    List<String> settings = new ArrayList<>(SingleMadProcess.on(environment, redis, network.url()));
    settings.addAll(settings());
    TaskReader reader =
        new TaskReader(
            SingleMadProcess.start(environment, "fiedler", settings).client(environment));

    String task = ask(reader.fiedler());
    await().until(() -> before.listen().voice(task).text().equals(BEFORE));
    network.inject(new NetworkFault.Cut());
    redis.kill();
    goOn.countDown();
    JsonNode ended = ended(reader, task);
    assertThat(ended.path("status").asText()).isEqualTo("COMPLETED");
    assertThat(ended.at("/result_payload/text").asText()).isEqualTo(BEFORE + AFTER);
    assertThat(joined(reader.frames(task))).isEqualTo(BEFORE + AFTER);

    redis.awaitAnswering();
    RawListener later = environment.add(RawListener.on(redis, "mad.stream.*", "mad.direct.*"));
    network.heal();
    await().atMost(BACK_WITHIN).until(() -> !later.on("mad.direct.ann").isEmpty());

    List<JsonNode> told =
        later.on("mad.direct.ann").stream().map(FrameSocketClient::parse).toList();
    assertThat(told).hasSize(1);
    assertThat(told.getFirst().at("/payload/result")).isEqualTo(ended.path("result_payload"));
    TaskStream whole = before.voice(task);
    int heardBefore = whole.payloads().size();
    later.on("mad.stream." + task).stream().map(FrameSocketClient::parse).forEach(whole::hear);
    assertThat(whole.faults()).isEmpty();
    assertThat(whole.text()).isEqualTo(BEFORE + AFTER);
    assertThat(whole.status()).isEqualTo("COMPLETED");
    assertThat(whole.payloads()).isEqualTo(reader.frames(task));
    // What may have been sent without being received is sent again, and no more than that.
    assertThat(whole.repeats()).isLessThanOrEqualTo(1);
    assertThat(heardBefore).isEqualTo(20 * 2);
  }

  @Test
  void theGroupsOwnRedisIsKilledAndEverythingArrivesWhenItIsBack() throws Exception {
    GroupUnderTest groupUnderTest = environment.up(settings().toArray(String[]::new));
    TaskRequester ann = TaskRequester.on(groupUnderTest, "ann");
    TaskReader reader = new TaskReader(groupUnderTest.client("fiedler"));

    String task = ann.ask(reader);
    await().until(() -> joined(reader.frames(task)).equals(BEFORE));
    UnixSignals.send("KILL", groupUnderTest.redis().pid());
    await().atMost(BACK_WITHIN).until(() -> ann.hearsItself());
    goOn.countDown();

    JsonNode ended = ended(reader, task);
    assertThat(ended.at("/result_payload/text").asText()).isEqualTo(BEFORE + AFTER);
    assertThat(joined(reader.frames(task))).isEqualTo(BEFORE + AFTER);
    List<JsonNode> told = await().atMost(BACK_WITHIN).until(ann::told, each -> !each.isEmpty());
    assertThat(told).hasSize(1);
    assertThat(told.getFirst().path("result")).isEqualTo(ended.path("result_payload"));
    assertThat(ann.told()).isEmpty();
    String next = ann.ask(reader);
    assertThat(ended(reader, next).path("status").asText()).isEqualTo("COMPLETED");
  }
}
