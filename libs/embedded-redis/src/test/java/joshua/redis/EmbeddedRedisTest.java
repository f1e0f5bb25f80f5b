package joshua.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import joshua.kernel.TimedWait;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedRedisTest {
  private static final TimedWait PAUSE = Thread::sleep;

  @TempDir Path directory;

  private EmbeddedRedis start() throws Exception {
    return EmbeddedRedis.start(new EmbeddedRedis.Config(directory, 0, false), PAUSE);
  }

  private static boolean answers(EmbeddedRedis redis) {
    return RedisProbe.answers(redis.port(), new RedisPassword(redis.password()));
  }

  @Test
  void deliversWhatIsPublished() throws Exception {
    try (EmbeddedRedis redis = start();
        RespClient subscriber = RespClient.of(redis);
        RespClient publisher = RespClient.of(redis)) {
      subscriber.call("PSUBSCRIBE", "mad.topic.*");
      assertThat(publisher.call("PUBLISH", "mad.topic.x", "hello")).isEqualTo("1");
      assertThat(subscriber.read()).isEqualTo("[pmessage, mad.topic.*, mad.topic.x, hello]");
    }
  }

  @Test
  void nobodyGetsInWithoutThePassword() throws Exception {
    try (EmbeddedRedis redis = start();
        RespClient client = new RespClient(redis.port())) {
      assertThat(client.call("PUBLISH", "mad.topic.x", "y")).startsWith("-NOAUTH");
      assertThat(client.call("AUTH", "guess")).startsWith("-WRONGPASS");
    }
  }

  @Test
  void listensOnLoopbackOnly() throws Exception {
    try (EmbeddedRedis redis = start()) {
      for (NetworkInterface network : NetworkInterface.networkInterfaces().toList()) {
        for (InetAddress address : network.inetAddresses().toList()) {
          if (!address.isLoopbackAddress()) {
            assertThatThrownBy(() -> new Socket(address, redis.port()).close())
                .isInstanceOf(IOException.class);
          }
        }
      }
    }
  }

  @Test
  void passwordAndConfigurationAreForTheOwnerAloneAndThePasswordStandsInItsFileOnly()
      throws Exception {
    try (EmbeddedRedis redis = start()) {
      Path conf = directory.resolve("redis/redis.conf");
      assertThat(mode(redis.passwordFile())).isEqualTo("rw-------");
      assertThat(mode(conf)).isEqualTo("rw-------");
      assertThat(redis.passwordFile()).hasContent(redis.password());
      assertThat(Files.readString(conf)).doesNotContain(redis.password());
      assertThat(ProcessHandle.of(redis.pid()).orElseThrow().info().commandLine().orElse(""))
          .doesNotContain(redis.password());
    }
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void thePasswordOutlivesAStart() throws Exception {
    String first;
    try (EmbeddedRedis redis = start()) {
      first = redis.password();
    }
    try (EmbeddedRedis redis = start()) {
      assertThat(redis.password()).isEqualTo(first).hasSizeGreaterThanOrEqualTo(32);
    }
  }

  @Test
  void aPasswordFileThatOthersCanReadIsRefused() throws Exception {
    Path file = directory.resolve("redis.password");
    Files.writeString(file, "0123456789abcdef");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(this::start)
        .isInstanceOf(CannotStartException.class)
        .hasMessageContaining("chmod 600 " + file);
  }

  @Test
  void aPasswordFileWithAnUnfitPasswordIsRefused() throws Exception {
    Path file = directory.resolve("redis.password");
    OwnerOnlyFile.create(file, "short");
    assertThatThrownBy(this::start)
        .isInstanceOf(CannotStartException.class)
        .hasMessageContaining("16 to");
  }

  @Test
  void theNextFreePortIsTakenWhenThePortWasNotExplicit() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      var config = new EmbeddedRedis.Config(directory, taken.getLocalPort(), false);
      try (EmbeddedRedis redis = EmbeddedRedis.start(config, PAUSE)) {
        assertThat(redis.port()).isGreaterThan(taken.getLocalPort());
        assertThat(answers(redis)).isTrue();
      }
    }
  }

  @Test
  void anExplicitPortInUseIsNamedWithTheSettingToChange() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      var config = new EmbeddedRedis.Config(directory, taken.getLocalPort(), true);
      assertThatThrownBy(() -> EmbeddedRedis.start(config, PAUSE))
          .isInstanceOf(CannotStartException.class)
          .hasMessageContaining("Port " + taken.getLocalPort() + " is in use")
          .hasMessageContaining("JOSHUA_REDIS_PORT");
    }
  }

  @Test
  void twoRunSideBySide(@TempDir Path other) throws Exception {
    try (EmbeddedRedis one = start();
        EmbeddedRedis two =
            EmbeddedRedis.start(new EmbeddedRedis.Config(other, one.port(), false), PAUSE);
        RespClient subscriber = RespClient.of(one);
        RespClient stranger = RespClient.of(two)) {
      subscriber.call("SUBSCRIBE", "mad.broadcast");
      assertThat(two.port()).isNotEqualTo(one.port());
      assertThat(two.password()).isNotEqualTo(one.password());
      assertThat(stranger.call("PUBLISH", "mad.broadcast", "x")).isEqualTo("0");
    }
  }

  @Test
  void aKilledRedisComesBackOnTheSamePortWithTheSamePassword() throws Exception {
    try (EmbeddedRedis redis = start()) {
      for (int time = 0; time < 2; time++) {
        long pid = redis.pid();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        await()
            .atMost(Duration.ofSeconds(10))
            .until(() -> redis.pid() > 0 && redis.pid() != pid && answers(redis));
      }
    }
  }

  @Test
  void closeStopsRedisAlsoWhenItIsFrozen() throws Exception {
    EmbeddedRedis redis = start();
    ProcessHandle process = ProcessHandle.of(redis.pid()).orElseThrow();
    new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start().waitFor();
    redis.close();
    assertThat(process.isAlive()).isFalse();
    assertThat(redis.alive()).isFalse();
    redis.close();
  }

  @Test
  void closeDuringARestartLeavesNothingBehind() throws Exception {
    EmbeddedRedis redis = start();
    ProcessHandle.of(redis.pid()).orElseThrow().destroyForcibly();
    redis.close();
    assertThat(redis.alive()).isFalse();
    assertThat(RedisPorts.free(redis.port())).isTrue();
  }
}
