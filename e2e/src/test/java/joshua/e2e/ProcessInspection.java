package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

/** Looks inside the program, at what no answer reveals. */
final class ProcessInspection {
  private ProcessInspection() {}

  /** No class, package, file or stack trace of ours or of a library's. */
  static void assertHidden(String answer) {
    assertThat(answer)
        .doesNotContain("Exception", "joshua.", "java.", "jackson", "io.javalin", "etty", ".java:");
  }
}
