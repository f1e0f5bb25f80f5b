package joshua.conversation.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RecordingHandler;
import joshua.testing.FreePort;
import joshua.testing.InstalledProgram;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rediss://} against a Redis that speaks nothing else. */
class TlsTest {
  private static final String PASSWORD = "a-password-for-tls";

  @TempDir Path directory;

  private void run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("command.out").toFile())
            .start();
    assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
  }

  /** A certificate that signs itself, for this host; {@code name.crt} and {@code name.key}. */
  private void certificate(Path openssl, String name) throws Exception {
    run(
        openssl.toString(),
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-keyout",
        name + ".key",
        "-out",
        name + ".crt",
        "-subj",
        "/CN=localhost",
        "-addext",
        "subjectAltName=DNS:localhost,IP:127.0.0.1");
  }

  private static RedisAddress address(int port, Optional<Path> authority)
      throws BusUnavailableException {
    return RedisAddress.of(
        "rediss://127.0.0.1:" + port,
        Optional.of(PASSWORD),
        authority,
        BusParticipants.CALM.connectWithin());
  }

  @Test
  void theBusRunsOverTlsToAServerThatTheAuthorityVouchesForAndToNoOther() throws Exception {
    Path server = TestRequirements.program("redis-server", "apt-get install redis-server");
    Path openssl = TestRequirements.program("openssl", "apt-get install openssl");
    certificate(openssl, "server");
    certificate(openssl, "stranger");
    int port = FreePort.any();
    try (InstalledProgram redis =
            InstalledProgram.start(
                directory,
                server,
                "--port",
                "0",
                "--tls-port",
                "" + port,
                "--bind",
                "127.0.0.1",
                "--tls-cert-file",
                "server.crt",
                "--tls-key-file",
                "server.key",
                "--tls-ca-cert-file",
                "server.crt",
                "--tls-auth-clients",
                "no",
                "--requirepass",
                PASSWORD,
                "--save",
                "");
        BusParticipants participants = new BusParticipants()) {
      redis.awaitSaying("Ready to accept connections");
      Path authority = directory.resolve("server.crt");
      ConversationBus alice =
          participants.join("alice", address(port, Optional.of(authority)), BusParticipants.CALM);
      RecordingHandler handler = new RecordingHandler();
      alice.subscribe(new ChannelPattern("mad.topic.*"), handler);
      alice.send(OutgoingMessage.on(Channel.topic("x"), BusParticipants.numbered(7)));
      handler.awaitMessages(1);
      assertThat(handler.numbers()).contains(7);

      for (Optional<Path> wrong :
          List.of(Optional.<Path>empty(), Optional.of(directory.resolve("stranger.crt")))) {
        assertThatThrownBy(
                () -> participants.join("bob", address(port, wrong), BusParticipants.CALM))
            .isInstanceOf(BusUnavailableException.class)
            .hasMessage(
                "Redis at 127.0.0.1:%d can't be reached (the TLS handshake failed). Is it running, and is JOSHUA_REDIS_URL right?"
                    .formatted(port));
      }
      RedisAddress plain =
          RedisAddress.of(
              "redis://127.0.0.1:" + port,
              Optional.of(PASSWORD),
              Optional.empty(),
              Duration.ofSeconds(3));
      assertThatThrownBy(() -> participants.join("bob", plain, ConnectionTimeouts.CONTRACT))
          .isInstanceOf(BusUnavailableException.class)
          .hasMessageContaining("can't be reached (");
    }
  }
}
