package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a stop waits for. */
final class ClosingTest {
  @TempDir Path directory;

  @Test
  void workThatCleansUpIsOverWhenTheCloseIs() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    TaskWork work =
        (task, tokens) -> {
          tokens.token("I begin");
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            // Cleaning up takes a while.
            var _ = new CountDownLatch(1).await(300, TimeUnit.MILLISECONDS);
          } finally {
            over.set(true);
          }
          return Stage.said("never");
        };
    try (RealRedis redis = RealRedis.start();
        Stage stage = Stage.on(redis, directory.resolve("t.db"), InstantSource.system(), work)) {
      UUID id = stage.converse("long");
      stage.awaitState(id, state -> state == TaskState.STREAMING);
      stage.tasks.close();
      assertThat(over).isTrue();
    }
  }
}
