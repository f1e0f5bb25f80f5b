package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import joshua.conversation.ConversationBus;
import joshua.conversation.Participant;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisLink;
import joshua.kernel.KnownSettings;
import joshua.kernel.TimedWait;
import joshua.tasks.model.StreamFrame;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskError;
import joshua.tasks.model.TaskKind;
import joshua.tasks.model.TaskState;
import joshua.tasks.store.SecretRedactor;
import joshua.tasks.worker.StreamBuffer;
import joshua.tasks.worker.TaskManager;
import joshua.tasks.worker.TaskPublisher;
import joshua.testing.RawListener;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;

/** Tasks' messages fit an envelope, however small the limit is set (wire contract §1, §2). */
final class EnvelopeRoomTest {
  /** The character with the longest form in JSON. */
  private static final String COSTLY = "\u0001";

  @Test
  void theLargestFrameAndTheLargestNotificationFitTheSmallestEnvelope() throws Exception {
    InstantSource now = InstantSource.system();
    UUID id = UUID.randomUUID();
    TaskError error =
        new SecretRedactor(java.util.List.of()).error(new RuntimeException(COSTLY.repeat(100_000)));
    Task ended =
        new Task(
            id,
            TaskManager.CONVERSE,
            TaskKind.WORK,
            TaskState.FAILED,
            "a".repeat(128),
            "",
            "{}",
            id,
            id,
            10,
            Optional.empty(),
            Optional.empty(),
            Optional.of(error),
            now.instant(),
            now.instant());
    try (RealRedis redis = RealRedis.start();
        RawListener listener = RawListener.on(redis, "mad.*");
        ConversationBus bus =
            new ConversationBus(
                    new Participant("f".repeat(128), "1", "test", now.instant()),
                    new RedisLink(
                        "room",
                        RedisAddress.of(
                            redis.url(),
                            Optional.of(redis.password()),
                            Optional.empty(),
                            Duration.ofSeconds(20)),
                        TimedWait.system(),
                        now),
                    now,
                    KnownSettings.SMALLEST_ENVELOPE_LIMIT,
                    new SimpleMeterRegistry(),
                    ConversationBus::noDetail)
                .open()) {
      TaskPublisher taskPublisher = new TaskPublisher(bus);
      assertThat(
              taskPublisher.frame(
                  ended,
                  new StreamFrame(
                      StreamBuffer.FRAMES,
                      COSTLY.repeat(StreamBuffer.LONGEST),
                      Optional.of(COSTLY.repeat(256)))))
          .isTrue();
      assertThat(taskPublisher.notification(ended)).isTrue();
      await().until(() -> listener.on("mad.direct." + ended.requesterId()).size() == 1);
      await().until(() -> listener.on("mad.stream." + id).size() == 1);
    }
  }
}
