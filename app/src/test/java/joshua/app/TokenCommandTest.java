package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code joshua token} with a separate file. */
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

  private TestSurroundings unnamed(String... words) {
    TestSurroundings surroundings = new TestSurroundings(Map.of(), home);
    surroundings.run(words);
    return surroundings;
  }

  @Test
  void tokensAreStateAndWhatPutsThemInForceIsSaid() {
    assertThat(unnamed("up", "--tokens").err())
        .contains("there is no " + home.resolve("data/tokens") + " yet")
        .contains("joshua token create NAME");
    TestSurroundings created = unnamed("token", "create", "ann", "--role", "viewer");
    assertThat(home.resolve("data/tokens")).content().contains("ann viewer");
    assertThat(created.err())
        .contains("./joshua up --tokens", "JOSHUA_TOKENS_FILE=" + home.resolve("data/tokens"));
    assertThat(unnamed("token", "list").out()).startsWith("ann viewer");
    assertThat(unnamed("token", "revoke", "ann").out()).startsWith("revoked 1 tokens of ann");
  }

  @Test
  void aNamedFileIsTheOneThatIsInForce() {
    assertThat(after("token", "create", "ann").err())
        .contains("JOSHUA_TOKENS_FILE=" + home.resolve("tokens"))
        .doesNotContain("up --tokens");
    assertThat(after("up", "--tokens").err())
        .contains("--tokens stands for the tokens in the data directory", "leave one of them out");
  }

  @Test
  void whoHasNearlyItsNameDoes() {
    assertThat(after("token", "create", "grace-2").out()).isNotBlank();
    assertThat(home.resolve("tokens")).content().contains("grace-2 operator");
  }
}
