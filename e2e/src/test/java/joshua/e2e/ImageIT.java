package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/** Tests the image of a MAD without compose, as another project's tests or cluster would run it. */
@Tag("containers")
final class ImageIT {
  private static final String PASSWORD = "of-the-redis-of-this-test";
  private static final int READABLE = 0644;

  private final TestEnvironment environment = new TestEnvironment();
  private ContainerGroup group;
  private Network network;
  private GenericContainer<?> redis;

  @BeforeEach
  void startRedis() {
    group = new ContainerGroup(environment, "image");
    group.init();
    network = environment.add(Network.newNetwork());
    redis =
        environment.add(
            new GenericContainer<>(DockerImageName.parse("redis:7-alpine"))
                .withNetwork(network)
                .withNetworkAliases("redis")
                .withCommand("redis-server", "--requirepass", PASSWORD)
                .withExposedPorts(6379)
                .waitingFor(Wait.forListeningPort()));
    redis.start();
  }

  @AfterEach
  void close() {
    environment.close();
  }

  /** A container of that image, healthy. */
  private GenericContainer<?> healthy(String image, int port) {
    GenericContainer<?> mad =
        environment.add(
            new GenericContainer<>(DockerImageName.parse(image))
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
                .withExposedPorts(port)
                .waitingFor(Wait.forHealthcheck().withStartupTimeout(Duration.ofMinutes(2))));
    mad.start();
    return mad;
  }

  private FrameSocketClient admin(GenericContainer<?> mad) {
    return environment.add(FrameSocketClient.to(mad.getFirstMappedPort(), group.adminToken()));
  }

  @Test
  void graceServesOnAnyRedisAndSaysWhenSheIsHealthy() throws Exception {
    group.build("grace");
    GenericContainer<?> grace = healthy(group.image("grace"), 8000);

    FrameSocketClient admin = admin(grace);
    admin.subscribe("admin", "mad.topic.byhand");
    RawEnvelope envelope = RawEnvelope.on("mad.topic.byhand");
    environment
        .add(RawRedis.to(redis.getMappedPort(6379), PASSWORD))
        .publish("mad.topic.byhand", envelope.json());

    JsonNode polled = admin.poll("admin");
    assertThat(polled.at("/messages/0/message_id").asText()).isEqualTo(envelope.text("message_id"));
    assertThat(grace.execInContainer("id", "-u").getStdout().strip()).isEqualTo("10001");
  }

  /** The files that git knows, without any build: all that a user with only Docker has. */
  @Test
  void dockerAloneBuildsFromTheSourcesAndTheEmbeddingModelMayBeLeftOut() throws Exception {
    TestRequirements.program("git", "apt-get install git");
    Path clone = Files.createDirectory(environment.path().resolve("clone"));
    String copy = "cd '%s'; git ls-files -z | xargs -0 cp --parents -t '%s'";
    group.shell(copy.formatted(BuiltProgram.HOME, clone));
    String image = group.image("from-source");
    group.docker(
        "build",
        "-q",
        "-t",
        image,
        "--target",
        "fiedler",
        "--build-arg",
        "EMBEDDINGS=off",
        clone.toString());

    GenericContainer<?> fiedler = healthy(image, 8001);

    assertThat(fiedler.execInContainer("ls", "/opt/joshua/lib").getStdout())
        .contains("sqlite-jdbc")
        .doesNotContain("onnxruntime", "tokenizers");
    assertThat(
            admin(fiedler)
                .call("fiedler_converse", "{'prompt':'tasks','requester_id':'admin','wait':true}")
                .path("status")
                .asText())
        .isEqualTo("completed");
  }
}
