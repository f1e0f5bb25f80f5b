package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Tests what must be true of the Dockerfiles together, so that the three images are built at once.
 */
class ImagesTest {
  private static final List<String> MADS = List.of("grace", "fiedler", "rogers");
  private static final String LAST_STAGE = "\nFROM ${BASE_RUNTIME}";

  /** Features that builders without BuildKit don't know. */
  private static final Pattern NEWER =
      Pattern.compile("(?m)^RUN --mount|^COPY --(?!from)|<<-?['\"]?[A-Z]|^# *syntax=");

  @Test
  void theStagesThatBuildAreTheSameWordForWord() throws IOException {
    List<String> stages = new ArrayList<>();
    for (String mad : MADS) {
      String file = dockerfile(mad);
      int end = file.indexOf(LAST_STAGE);
      assertThat(end).as(mad).isPositive();
      stages.add(file.substring(file.indexOf("ARG JARS"), end));
    }

    assertThat(stages).allMatch(stages.getFirst()::equals);
  }

  @Test
  void anyBuilderUnderstandsThem() throws IOException {
    for (String mad : MADS) {
      assertThat(dockerfile(mad)).as(mad).doesNotContainPattern(NEWER);
    }
    assertThat("RUN --mount=type=cache true\n").containsPattern(NEWER);
  }

  @Test
  void everyModuleOfTheReactorIsInTheContext() throws IOException {
    String build = dockerfile("grace");
    for (Path module : ProjectFiles.files("pom.xml")) {
      String folder = ProjectFiles.ROOT.relativize(module).getName(0).toString();
      assertThat(build).contains("ONBUILD COPY " + folder);
    }
  }

  /** Each has a tag for a default, and docker-compose passes on the digest pinned in .env. */
  @Test
  void everyBaseIsABuildArgument() throws IOException {
    String compose = ProjectFiles.read(ProjectFiles.ROOT.resolve("docker-compose.yml"));
    for (String mad : MADS) {
      Matcher from = Pattern.compile("(?m)^FROM (\\S+)").matcher(dockerfile(mad));
      while (from.find()) {
        if (!from.group(1).matches("jars-\\$\\{JARS}")) {
          String argument = from.group(1).replaceAll("[${}]", "");
          assertThat(dockerfile(mad)).containsPattern("(?m)^ARG " + argument + "=\\S+:\\S+$");
          assertThat(compose).contains("%s: ${MAD_%1$s:-".formatted(argument));
        }
      }
    }
    assertThat(Pattern.compile("(?m)^ +image: (?!joshua-)(.*)").matcher(compose).results())
        .allSatisfy(image -> assertThat(image.group(1)).startsWith("${MAD_"));
  }

  private static String dockerfile(String mad) throws IOException {
    return Files.readString(ProjectFiles.ROOT.resolve("mads/" + mad + "/Dockerfile"));
  }
}
