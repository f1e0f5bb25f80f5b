package joshua.app.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import joshua.app.Services;
import joshua.app.settings.SettingSources;
import joshua.ssh.VerbHost;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class UpCommandTest {
  private static List<String> problems(Map<String, String> environment, String... flags)
      throws IOException {
    CommandSpec spec =
        UpCommand.spec(SettingSources.of(environment), Services.ALL, Services.ACCESS, "test");
    VerbHost.configured(new CommandLine(spec)).parseArgs(flags);
    return ((UpCommand) spec.userObject()).problems();
  }

  @Test
  void whatServicesShareIsGivenToEachOfThem() throws Exception {
    Map<String, String> nameless = Map.of("JOSHUA_MODEL_PROVIDER", "ollama");
    String sentence = "JOSHUA_MODEL_PROVIDER is set, and JOSHUA_MODEL_NAME isn't: name the model.";
    assertThat(problems(nameless)).containsExactly(sentence);
    for (String other : List.of("fiedler", "rogers")) {
      assertThat(
              problems(
                  nameless,
                  "--%s-model-provider=ollama".formatted(other),
                  "--%s-model-name=b".formatted(other)))
          .as("the other one has the shared block still")
          .containsExactly(sentence);
    }
  }

  @Test
  void theMonitorsThresholdsAreInTheirOrder() throws Exception {
    assertThat(problems(Map.of("JOSHUA_ROGERS_STALE_AFTER", "60"))).isEmpty();
    assertThat(problems(Map.of(), "--rogers-stale-after=120"))
        .containsExactly(
            "JOSHUA_ROGERS_STALE_AFTER (120) must be at least 1,"
                + " and less than JOSHUA_ROGERS_DISCONNECTED_AFTER (120).");
  }
}
