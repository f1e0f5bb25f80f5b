package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import joshua.testing.HandWritten;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/** The image of a MAD without compose, as somebody else's tests or cluster would run it. */
@Tag("alone")
final class ImageIT {
  private static final String PASSWORD = "of-the-redis-of-this-test";
  private static final int READABLE = 0644;

  private final Stage stage = new Stage();

  @AfterEach
  void close() {
    stage.close();
  }

  @Test
  void graceServesOnAnyRedisAndSaysWhenSheIsHealthy() throws Exception {
    ContainerGroup group = new ContainerGroup(stage, "image");
    group.init();
    group.compose("build", "grace");
    Network network = stage.add(Network.newNetwork());
    GenericContainer<?> redis =
        stage.add(
            new GenericContainer<>(DockerImageName.parse("redis:7-alpine"))
                .withNetwork(network)
                .withNetworkAliases("redis")
                .withCommand("redis-server", "--requirepass", PASSWORD)
                .withExposedPorts(6379)
                .waitingFor(Wait.forListeningPort()));
    redis.start();
    String token = group.adminToken();
    GenericContainer<?> grace =
        stage.add(
            new GenericContainer<>(DockerImageName.parse(group.image("grace")))
                .withNetwork(network)
                .withEnv("JOSHUA_BIND", "0.0.0.0")
                .withEnv("JOSHUA_REDIS_URL", "redis://redis:6379")
                .withEnv("JOSHUA_REDIS_PASSWORD_FILE", "/run/redis.password")
                .withEnv("JOSHUA_TOKENS_FILE", "/run/tokens")
                .withCopyToContainer(Transferable.of(PASSWORD, READABLE), "/run/redis.password")
                .withCopyToContainer(
                    Transferable.of(
                        group.home().read("configs/secrets/clients/tokens") + "\n", READABLE),
                    "/run/tokens")
                .withExposedPorts(8000)
                .waitingFor(Wait.forHealthcheck().withStartupTimeout(Duration.ofMinutes(2))));
    grace.start();

    WsClient admin = stage.add(WsClient.to(grace.getMappedPort(8000), token));
    admin.subscribe("admin", "mad.topic.byhand");
    HandWritten envelope = HandWritten.on("mad.topic.byhand");
    stage
        .add(RawRedis.to(redis.getMappedPort(6379), PASSWORD))
        .publish("mad.topic.byhand", envelope.json());

    JsonNode polled = admin.poll("admin");
    assertThat(polled.at("/messages/0/message_id").asText()).isEqualTo(envelope.text("message_id"));
    assertThat(grace.execInContainer("id", "-u").getStdout().strip()).isEqualTo("10001");
  }
}
