package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import joshua.tasks.model.StreamPage;
import joshua.tasks.model.Task;
import joshua.tasks.model.TokenSink;
import joshua.tasks.worker.StreamPublisher;
import joshua.tasks.worker.TaskManager;
import joshua.testing.FaultProxy;
import joshua.testing.ManualTime;
import joshua.testing.NetworkFault;
import joshua.testing.RawListener;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bus goes away while tasks stream, and comes back (REQ-FD-07, wire contract §2). */
final class StreamingOutageIT {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

  /** More frames than the publisher keeps in memory. */
  private static final int WORDS = StreamPublisher.AT_HAND + 500;

  private static final String TEXT =
      IntStream.range(0, WORDS).mapToObj(i -> i + " ").collect(Collectors.joining());

  @TempDir Path directory;
  private final ManualTime time = new ManualTime(NOON);
  private final CountDownLatch away = new CountDownLatch(1);
  private final CountDownLatch allSaid = new CountDownLatch(1);
  private final CountDownLatch finish = new CountDownLatch(1);

  private com.fasterxml.jackson.databind.node.ObjectNode work(TokenSink tokenSink)
      throws InterruptedException {
    tokenSink.token("0 ");
    away.await();
    for (int i = 1; i < WORDS; i++) {
      tokenSink.token(i + " ");
    }
    allSaid.countDown();
    finish.await();
    return TaskFixture.said(TEXT);
  }

  private TaskFixture stage(RealRedis redis, FaultProxy network) throws Exception {
    return new TaskFixture(
        redis,
        network.url(),
        directory.resolve("fiedler_state.db"),
        TaskFixture.ROOMY,
        Map.of(TaskManager.CONVERSE, (task, tokenSink) -> work(tokenSink)),
        time,
        (point, id) -> {});
  }

  @Test
  void theWorkIsNotSlowedAndPublishingGoesOnWhereItWas() throws Exception {
    try (RealRedis redis = RealRedis.start();
        FaultProxy network = FaultProxy.before(redis.port());
        RawListener listener = RawListener.on(redis, "mad.*");
        TaskFixture fixture = stage(redis, network)) {
      UUID id = fixture.converse("talk");
      await().until(() -> TaskFixture.frames(listener, id).size() == 1);
      network.inject(new NetworkFault.Cut());
      await().until(() -> !fixture.bus.isUsable());
      away.countDown();
      allSaid.await();
      await().until(() -> page(fixture, id).end() == WORDS);
      assertThat(TaskFixture.frames(listener, id)).hasSize(1);
      network.heal();
      await().until(() -> TaskFixture.frames(listener, id).size() == WORDS);
      finish.countDown();
      everythingIsOut(fixture, listener, id);
    }
  }

  @Test
  void aTaskThatEndsMeanwhileIsKeptWholeAndToldWhenTheBusIsBack() throws Exception {
    try (RealRedis redis = RealRedis.start();
        FaultProxy network = FaultProxy.before(redis.port());
        RawListener listener = RawListener.on(redis, "mad.*");
        TaskFixture fixture = stage(redis, network)) {
      UUID id = fixture.converse("talk");
      await().until(() -> TaskFixture.frames(listener, id).size() == 1);
      network.inject(new NetworkFault.Cut());
      await().until(() -> !fixture.bus.isUsable());
      away.countDown();
      finish.countDown();
      Task ended = fixture.awaitEnd(id);
      assertThat(ended.result().orElseThrow().path("text").asText()).isEqualTo(TEXT);
      // Nothing of it stays in memory: its slot is free and its run is gone.
      await().until(() -> fixture.meters.get("joshua.tasks.running").gauge().value() == 0);
      assertThat(listener.on("mad.direct.ann")).isEmpty();
      network.heal();
      await().until(fixture.bus::isUsable);
      await()
          .until(() -> {
            time.advance(Duration.ofSeconds(1));
            return !listener.on("mad.direct.ann").isEmpty();
          });
      everythingIsOut(fixture, listener, id);
    }
  }

  private static StreamPage page(TaskFixture fixture, UUID id) throws Exception {
    return fixture.tasks.stream(id, 0).orElseThrow();
  }

  private static void everythingIsOut(TaskFixture fixture, RawListener listener, UUID id) {
    fixture.awaitAllTold();
    await().until(() -> !listener.on("mad.direct.ann").isEmpty());
    List<JsonNode> frames = TaskFixture.frames(listener, id);
    assertThat(frames).hasSize(WORDS + 1);
    for (int i = 0; i < frames.size(); i++) {
      assertThat(frames.get(i).path("sequence").asInt()).isEqualTo(i);
    }
    assertThat(TaskFixture.joined(frames)).isEqualTo(TEXT);
    assertThat(frames.getLast().path("status").asText()).isEqualTo("COMPLETED");
    assertThat(TaskFixture.payloads(listener, "mad.direct.ann")).hasSize(1);
  }
}
