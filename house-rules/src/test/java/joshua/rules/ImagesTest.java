package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The Dockerfile: a target for each MAD, any builder, and bases that can be pinned. */
class ImagesTest {
  private static final List<String> MADS = List.of("grace", "fiedler", "rogers");

  /** What builders without BuildKit don't know. */
  private static final Pattern NEWER =
      Pattern.compile("(?m)^RUN --mount|^COPY --(?!from)|<<-?['\"]?[A-Z]|^# *syntax=");

  @Test
  void everyMadHasATargetThatStartsIt() throws IOException {
    for (String mad : MADS) {
      assertThat(dockerfile())
          .contains("FROM mad AS " + mad)
          .contains("COPY --from=build /opt/aot/%s /opt/joshua".formatted(mad))
          .contains("CMD [\"%s\"]".formatted(mad));
    }
  }

  @Test
  void anyBuilderUnderstandsIt() throws IOException {
    assertThat(dockerfile()).doesNotContainPattern(NEWER);
    assertThat("RUN --mount=type=cache true\n").containsPattern(NEWER);
  }

  @Test
  void everyModuleOfTheReactorIsInTheContext() throws IOException {
    String build = dockerfile();
    for (Path module : ProjectFiles.files("pom.xml")) {
      String folder = ProjectFiles.ROOT.relativize(module).getName(0).toString();
      assertThat(build).contains("ONBUILD COPY " + folder);
    }
  }

  /** Each has a tag for a default, and docker-compose passes on what .env pins by digest. */
  @Test
  void everyBaseIsABuildArgument() throws IOException {
    String compose = ProjectFiles.read(ProjectFiles.ROOT.resolve("docker-compose.yml"));
    Matcher from = Pattern.compile("(?m)^FROM \\$\\{(\\w+)}").matcher(dockerfile());
    List<String> arguments = from.results().map(base -> base.group(1)).distinct().toList();
    assertThat(arguments).containsExactly("BASE_BUILD", "BASE_RUNTIME");
    for (String argument : arguments) {
      assertThat(dockerfile()).containsPattern("(?m)^ARG " + argument + "=\\S+:\\S+$");
      assertThat(compose).contains("%s: ${MAD_%1$s:-".formatted(argument));
    }
    assertThat(Pattern.compile("(?m)^ +image: (?!joshua-)(.*)").matcher(compose).results())
        .allSatisfy(image -> assertThat(image.group(1)).startsWith("${MAD_"));
  }

  private static String dockerfile() throws IOException {
    return Files.readString(ProjectFiles.ROOT.resolve("Dockerfile"));
  }
}
