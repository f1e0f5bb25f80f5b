package joshua.app.doctor;

import java.util.Locale;
import joshua.ssh.TextStyle;

/** How something that was looked at is, from best to worst but for what couldn't be looked at. */
public enum CheckVerdict {
  OK("ok", TextStyle.GOOD),
  /** It wasn't looked at, and why is said. */
  LEFT_OUT("left out", TextStyle.FAINT),
  /** It works, and may soon not. */
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
