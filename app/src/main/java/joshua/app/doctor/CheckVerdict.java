package joshua.app.doctor;

import java.util.Locale;
import joshua.ssh.TextStyle;

/** The verdict of a check, from best to worst, apart from what couldn't be checked. */
public enum CheckVerdict {
  OK("ok", TextStyle.GOOD),
  /** It wasn't checked, and the finding says why. */
  LEFT_OUT("left out", TextStyle.FAINT),
  /** It works, but may soon stop working. */
  WARNING("warning", TextStyle.DOUBTFUL),
  BAD("BAD", TextStyle.BAD);

  private final String shown;
  private final TextStyle textStyle;

  CheckVerdict(String shown, TextStyle textStyle) {
    this.shown = shown;
    this.textStyle = textStyle;
  }

  /** For programs. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** For people. */
  String shown() {
    return shown;
  }

  TextStyle style() {
    return textStyle;
  }
}
