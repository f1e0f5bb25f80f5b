package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Types are named as engineers of the field would guess. */
class TypeNamesTest {
  @TempDir Path directory;

  @Test
  void theProjectKeepsTheRules() {
    assertThat(TypeNames.mistakes(ProjectFiles.classes())).isEmpty();
  }

  @Test
  void eachMistakeIsNamed() throws Exception {
    assertThat(
            TypeNames.mistakes(
                BadExample.compile(
                    directory,
                    "package joshua.grace; class Door { static class Refused extends Exception {} }",
                    "package joshua.grace; class Envelope { record Part() {} }",
                    "package joshua.grace; class OpenDoor {}",
                    "package joshua.rogers; class OpenDoor {}",
                    "package joshua.rogers; class ClosedException extends RuntimeException {}")))
        .containsExactly(
            "joshua.grace.Door has one word; say of what it is one",
            "joshua.grace.Door$Refused is an exception and doesn't end in Exception",
            "OpenDoor is the name of several types, in [joshua.grace, joshua.rogers]");
  }
}
