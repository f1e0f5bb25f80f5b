package joshua.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Redis and the JVM that holds it, when that JVM is killed or interrupted. */
class EndOfTheJvmIT {
  @TempDir Path directory;

  /** A JVM in a process group of its own, as a shell would start it. */
  private record Held(Process jvm, BufferedReader output, int port, ProcessHandle redis)
      implements AutoCloseable {

    static Held start(Path directory) throws Exception {
      Process jvm =
          new ProcessBuilder(
                  "setsid",
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  HoldingJvm.class.getName(),
                  directory.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      BufferedReader output = jvm.inputReader(StandardCharsets.UTF_8);
      String[] said = output.readLine().split(" ");
      return new Held(
          jvm,
          output,
          Integer.parseInt(said[0]),
          ProcessHandle.of(Long.parseLong(said[1])).orElseThrow());
    }

    void signal(String name, long target) throws Exception {
      new ProcessBuilder("kill", "-s", name, "--", Long.toString(target)).start().waitFor();
    }

    @Override
    public void close() {
      jvm.destroyForcibly();
      redis.destroyForcibly();
    }
  }

  @Test
  void aKilledJvmTakesRedisAndTheWatchdogAlong() throws Exception {
    try (Held held = Held.start(directory)) {
      ProcessHandle watchdog = held.redis().parent().orElseThrow();
      held.signal("KILL", held.jvm().pid());
      await()
          .atMost(Duration.ofSeconds(5))
          .until(() -> !held.redis().isAlive() && !watchdog.isAlive());
    }
  }

  @Test
  void aKilledJvmTakesRedisAlongEvenWhenTheWatchdogsShellWasKilledBefore() throws Exception {
    try (Held held = Held.start(directory)) {
      ProcessHandle watchdog = held.redis().parent().orElseThrow();
      held.signal("STOP", held.jvm().pid());
      watchdog.destroyForcibly();
      held.signal("KILL", held.jvm().pid());
      await().atMost(Duration.ofSeconds(5)).until(() -> !held.redis().isAlive());
    }
  }

  @Test
  void anInterruptOfTheForegroundGroupReachesTheJvmAndNotRedis() throws Exception {
    try (Held held = Held.start(directory)) {
      held.signal("INT", -held.jvm().pid());
      assertThat(held.output().readLine()).isEqualTo("stopping");
      String password = Files.readString(directory.resolve("redis.password"));
      assertThat(RedisProbe.answers(held.port(), new RedisPassword(password))).isTrue();

      held.jvm().getOutputStream().write('\n');
      held.jvm().getOutputStream().flush();
      await().atMost(Duration.ofSeconds(5)).until(() -> !held.redis().isAlive());
    }
  }
}
