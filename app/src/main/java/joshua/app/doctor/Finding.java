package joshua.app.doctor;

import java.util.Optional;

/**
 * What was found about one matter.
 *
 * @param check what was looked at, a noun
 * @param found a sentence or the beginning of one; never a secret
 * @param remedy how to mend it; empty where nothing needs it
 */
public record Finding(String check, Verdict verdict, String found, Optional<String> remedy) {

  static Finding ok(String check, String found) {
    return new Finding(check, Verdict.OK, found, Optional.empty());
  }

  static Finding leftOut(String check, String why) {
    return new Finding(check, Verdict.LEFT_OUT, why, Optional.empty());
  }

  static Finding warning(String check, String found, String remedy) {
    return new Finding(check, Verdict.WARNING, found, Optional.of(remedy));
  }

  static Finding bad(String check, String found, String remedy) {
    return new Finding(check, Verdict.BAD, found, Optional.of(remedy));
  }

  /**
   * What is bad.
   *
   * @param sentences the last of them says what to do
   */
  static Finding bad(String check, String sentences) {
    int last = sentences.lastIndexOf(". ");
    return last < 0
        ? new Finding(check, Verdict.BAD, sentences, Optional.empty())
        : bad(check, sentences.substring(0, last + 1), sentences.substring(last + 2));
  }
}
