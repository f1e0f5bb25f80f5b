package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import joshua.app.redis.EmbeddedRedis;
import joshua.app.redis.RedisProgram;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.SendResult;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.ChannelPattern;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisConversation;
import joshua.testing.Await;
import joshua.testing.RawRedis;
import joshua.testing.RecordedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Redis that {@code up} starts. */
class EmbeddedRedisTest {
  private static final Channel X = Channel.topic("x");

  @TempDir private Path data;

  private EmbeddedRedis start() throws Exception {
    return EmbeddedRedis.start(data, 0, false);
  }

  @Test
  void itCarriesTheBusAndComesBackAfterItWasKilled() throws Exception {
    RecordingHandler heard = new RecordingHandler();
    try (EmbeddedRedis redis = start();
        ConversationBus bus =
            RedisConversation.join(
                "ann", RedisAddress.of(redis.url(), Optional.of(redis.password())), TestBus.FAST)) {
      bus.subscribe(new ChannelPattern("mad.topic.*"), heard);
      assertThat(bus.send(OutgoingMessage.on(X, RecordingHandler.numbered(1))))
          .isInstanceOf(SendResult.Accepted.class);
      heard.awaitNumber(1);
      assertThat(bus.connection().transport().subscriberCounts(Set.of("mad.direct.x")).join())
          .containsEntry("mad.direct.x", 0L);
      long killed = redis.pid();
      ProcessHandle.of(killed).orElseThrow().destroyForcibly();
      heard.awaitGap();
      Await.until("it runs again", () -> redis.pid() != killed);
      Await.until(
          "and a message comes",
          () -> {
            bus.send(OutgoingMessage.on(X, RecordingHandler.numbered(2)));
            return heard.numbers().contains(2);
          });
    }
  }

  @Test
  void oneThatDiesAgainAndAgainIsStartedLessAndLessOften() throws Exception {
    RecordedLog log = new RecordedLog(EmbeddedRedis.class.getName(), Level.INFO);
    List<String> said = log.lines();
    try (log;
        EmbeddedRedis redis = start()) {
      String died =
          "Redis on port %d has died with status 137; it is started again after 800 ms. It said: "
              .formatted(redis.port());
      Await.until(
          "a longer pause",
          () -> {
            ProcessHandle.of(redis.pid()).ifPresent(ProcessHandle::destroyForcibly);
            return said.stream().anyMatch(each -> each.startsWith(died));
          });
      assertThat(said).anyMatch(each -> each.startsWith(died) && each.contains("Ready to accept"));
      Await.until("it runs", () -> said.getLast().endsWith("process %d".formatted(redis.pid())));
    }
    assertThat(said)
        .as("a stop is no death")
        .allMatch(each -> !each.contains("has died") || each.contains("status 137"));
  }

  @Test
  void itsUserMayDoNothingElseAndItEndsWhenClosed() throws Exception {
    ProcessHandle process;
    try (EmbeddedRedis redis = start();
        RawRedis raw = RawRedis.connect(redis.port(), redis.password())) {
      process = ProcessHandle.of(redis.pid()).orElseThrow();
      for (String command :
          List.of("SET a b", "EVAL return 0", "CONFIG GET *", "ACL LIST", "PUBLISH other x")) {
        assertThat(raw.call(command.split(" "))).contains("NOPERM");
      }
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(redis.passwordFile())))
          .isEqualTo("rw-------");
      assertThat(Files.readString(data.resolve("redis/redis.conf")))
          .doesNotContain(redis.password());
    }
    process.onExit().join();
  }

  @Test
  void aPortThatIsTakenIsLeftToItsOwner() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      assertThatThrownBy(() -> EmbeddedRedis.start(data, taken.getLocalPort(), true))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Port %d is in use".formatted(taken.getLocalPort()))
          .hasMessageContaining("JOSHUA_REDIS_PORT");
      try (EmbeddedRedis redis = EmbeddedRedis.start(data, taken.getLocalPort(), false)) {
        assertThat(redis.port()).isGreaterThan(taken.getLocalPort());
      }
    }
  }

  @Test
  void aPasswordThatOthersCanReadIsRefused() throws Exception {
    Path file = Files.writeString(data.resolve("redis.password"), "x".repeat(20));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(this::start).hasMessageContaining("Run: chmod 600 " + file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(file, "short");
    assertThatThrownBy(this::start).hasMessageContaining("must hold 16 to 512");
  }

  /** A file can't be run while a child that is just being started has it open for writing. */
  @Test
  void theBundledProgramCanBeRunAtOnceWhileOtherThreadsStartProcesses(@TempDir Path directory)
      throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Callable<Integer>> runs = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        Path own = directory.resolve("unpacked-" + i);
        runs.add(() -> {
          String program = RedisProgram.find(own).toString();
          return new ProcessBuilder(program, "--version").start().waitFor();
        });
      }
      for (Future<Integer> run : threads.invokeAll(runs)) {
        assertThat(run.get()).isZero();
      }
    }
  }
}
