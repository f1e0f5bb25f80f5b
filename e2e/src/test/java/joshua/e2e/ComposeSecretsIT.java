package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that docker-compose starts nothing before every secret has been validated. */
final class ComposeSecretsIT {
  private static final String IMAGE = "redis:7-alpine";

  /** No image is built or fetched: only Redis is to run here. */
  private static final Map<String, String> IMAGES =
      Map.of("MAD_PROMETHEUS_IMAGE", IMAGE, "MAD_GRAFANA_IMAGE", IMAGE);

  private final TestEnvironment environment = new TestEnvironment();
  private final ContainerGroup group = environment.add(new ContainerGroup(environment, "secrets"));

  @AfterEach
  void close() {
    ContainerGroup.MADS.forEach(mad -> group.docker("rmi", group.image(mad)));
    environment.close();
  }

  private ProgramRun up(String... services) {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("--profile", "debug", "--profile", "monitoring", "up", "-d"));
    words.add("--no-build");
    words.addAll(List.of(services));
    return group.tryCompose(IMAGES, words.toArray(String[]::new));
  }

  private void refuses(String sentence) {
    ProgramRun up = up();
    assertThat(up.exitStatus()).as(up.toString()).isNotZero();
    assertThat(group.compose("logs", "--no-color", "secrets")).contains(sentence);
    assertThat(group.compose("--profile", "debug", "--profile", "monitoring", "ps", "-q").lines())
        .as("the one that looked, and no other")
        .hasSize(1);
  }

  @Test
  void aSecretThatIsNoneKeepsEverythingFromStarting() throws Exception {
    ContainerGroup.MADS.forEach(mad -> group.docker("tag", IMAGE, group.image(mad)));
    group.init();
    Path password = group.home().file("configs/secrets/redis-fiedler.password");
    String secret = Files.readString(password);

    Files.writeString(password, "change-me-please-and-soon\n");
    refuses("configs/secrets/redis-fiedler.password holds a placeholder, no secret");
    Files.writeString(password, "");
    refuses("configs/secrets/redis-fiedler.password must be one line of 16 to 200");

    Path model = group.home().file("configs/secrets/model/key");
    Files.writeString(password, secret);
    Files.writeString(model, "\n");
    refuses("configs/secrets/model/key is empty");

    Files.delete(model);
    ProgramRun up = up("redis");
    assertThat(up.exitStatus()).as(up.toString()).isZero();
    Files.delete(password);
    group.compose("down");
    assertThat(up().exitStatus()).isNotZero();
    assertThat(group.compose("ps", "-q")).isEmpty();
  }
}
