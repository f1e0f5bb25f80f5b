package joshua.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import joshua.network.TokenFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;

/** The image, without compose: the whole group in one container, on a Redis in another. */
class ImageTest {
  private static final String TOKEN = "of-this-test";
  private static final int READABLE = 0644;

  @TempDir private Path directory;

  @Test
  void aGroupRunsInAContainer() throws Exception {
    Commands commands = new Commands(directory);
    commands.needDocker();
    commands.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "key");
    try (Network network = Network.newNetwork();
        GenericContainer<?> redis = new GenericContainer<>("redis:7-alpine");
        GenericContainer<?> group = new GenericContainer<>("joshua:latest")) {
      redis
          .withNetwork(network)
          .withNetworkAliases("redis")
          .withCommand("redis-server", "--requirepass", "secret")
          .start();
      group
          .withNetwork(network)
          .withEnv("JOSHUA_BIND", "0.0.0.0")
          .withEnv("JOSHUA_REDIS_URL", "redis://:secret@redis:6379")
          .withEnv("JOSHUA_TOKENS_FILE", "/run/joshua/tokens")
          .withEnv("JOSHUA_SSH_AUTHORIZED_KEYS", "/run/joshua/authorized_keys")
          .withEnv("JOSHUA_SSH_BIND", "all")
          .withCopyToContainer(
              Transferable.of(TokenFile.hash(TOKEN) + " ann operator\n", READABLE),
              "/run/joshua/tokens")
          .withCopyToContainer(
              Transferable.of(Files.readString(directory.resolve("key.pub")), READABLE),
              "/run/joshua/authorized_keys")
          .withExposedPorts(8000, 8001, 2202)
          .waitingFor(
              Wait.forLogMessage(".*the group runs.*", 1).withStartupTimeout(Duration.ofMinutes(3)))
          .start();

      int grace = group.getMappedPort(8000);
      Object[] ann = {"client_id", "ann"};
      Commands.call(grace, TOKEN, "grace_subscribe", ann, "topics", "mad.topic.x");
      Object[] message = {"channel", "mad.topic.x", "payload", Map.of("text", "through")};
      Commands.call(grace, TOKEN, "grace_send_message", ann, message);
      assertThat(
              Commands.call(grace, TOKEN, "grace_poll_messages", ann, "wait_ms", 60_000)
                  .at("/messages/0/payload/text")
                  .asText())
          .isEqualTo("through");
      int fiedler = group.getMappedPort(8001);
      Object[] prompt = {"prompt", "help", "requester_id", "ann", "wait", true};
      assertThat(Commands.call(fiedler, TOKEN, "fiedler_converse", prompt).toString())
          .contains("COMPLETED");
      String ssh =
          "ssh -F none -i key -p %d -o BatchMode=yes -o StrictHostKeyChecking=no"
              + " -o UserKnownHostsFile=/dev/null mad@127.0.0.1 mad-status";
      assertThat(commands.run(ssh.formatted(group.getMappedPort(2202)).split(" ")))
          .contains("rogers ", " is ready at ");
    }
  }
}
