package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code joshua token} with a file of its own. */
final class TokenCommandTest {
  @TempDir private Path home;

  private TestSurroundings after(String... words) {
    TestSurroundings surroundings =
        new TestSurroundings(Map.of("JOSHUA_TOKENS_FILE", home.resolve("tokens").toString()), home);
    surroundings.run(words);
    return surroundings;
  }

  @ParameterizedTest
  @ValueSource(strings = {"grace", "fiedler", "rogers"})
  void nobodyGetsATokenThatSpeaksForAService(String service) {
    assertThat(after("token", "create", service, "--role", "viewer").err())
        .contains(service + " is the name of a service of the group");
    assertThat(home.resolve("tokens")).doesNotExist();
  }

  @Test
  void whoHasNearlyItsNameDoes() {
    assertThat(after("token", "create", "grace-2").out()).isNotBlank();
    assertThat(home.resolve("tokens")).content().contains("grace-2 operator");
  }
}
