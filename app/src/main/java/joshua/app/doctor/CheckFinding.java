package joshua.app.doctor;

import java.util.Optional;

/**
 * A finding of a check.
 *
 * @param check what was checked, a noun
 * @param found a sentence or the beginning of one; never a secret
 * @param remedy how to fix it; empty if nothing needs fixing
 */
public record CheckFinding(
    String check, CheckVerdict verdict, String found, Optional<String> remedy) {

  static CheckFinding ok(String check, String found) {
    return new CheckFinding(check, CheckVerdict.OK, found, Optional.empty());
  }

  static CheckFinding leftOut(String check, String why) {
    return new CheckFinding(check, CheckVerdict.LEFT_OUT, why, Optional.empty());
  }

  static CheckFinding warning(String check, String found, String remedy) {
    return new CheckFinding(check, CheckVerdict.WARNING, found, Optional.of(remedy));
  }

  static CheckFinding bad(String check, String found, String remedy) {
    return new CheckFinding(check, CheckVerdict.BAD, found, Optional.of(remedy));
  }

  /**
   * A bad finding.
   *
   * @param sentences the last of them says what to do
   */
  static CheckFinding bad(String check, String sentences) {
    int last = sentences.lastIndexOf(". ");
    return last < 0
        ? new CheckFinding(check, CheckVerdict.BAD, sentences, Optional.empty())
        : bad(check, sentences.substring(0, last + 1), sentences.substring(last + 2));
  }
}
