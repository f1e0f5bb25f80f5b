package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Types are named as engineers of the field would guess. */
class TypeNamesTest {
  @TempDir Path directory;

  @Test
  void theProjectKeepsTheRules() {
    assertThat(TypeNames.mistakes(ProjectFiles.files(".java"), ProjectFiles.classes())).isEmpty();
  }

  @Test
  void eachMistakeIsNamed() throws Exception {
    List<Path> sources =
        Stream.of("a/Door.java", "a/Envelope.java", "a/OpenDoor.java", "b/OpenDoor.java")
            .map(directory::resolve)
            .toList();
    assertThat(
            TypeNames.mistakes(
                sources,
                BadExample.compile(
                    directory,
                    "package joshua.grace; class OpenDoor { static class Refused extends Exception {} }",
                    "package joshua.rogers; class ClosedException extends RuntimeException {}")))
        .satisfiesExactly(
            one -> assertThat(one).endsWith("a/Door.java has one word; say of what it is one"),
            two ->
                assertThat(two)
                    .startsWith("OpenDoor is the name of several types: [")
                    .contains("a/OpenDoor.java", "b/OpenDoor.java"),
            three ->
                assertThat(three)
                    .isEqualTo(
                        "joshua.grace.OpenDoor$Refused is an exception and doesn't end in Exception"));
  }
}
