package joshua.app.doctor;

import java.util.Locale;
import joshua.ssh.Style;

/** How something that was looked at is, from best to worst but for what couldn't be looked at. */
public enum Verdict {
  OK("ok", Style.GOOD),
  /** It wasn't looked at, and why is said. */
  LEFT_OUT("left out", Style.FAINT),
  /** It works, and may soon not. */
  WARNING("warning", Style.DOUBTFUL),
  BAD("BAD", Style.BAD);

  private final String shown;
  private final Style style;

  Verdict(String shown, Style style) {
    this.shown = shown;
    this.style = style;
  }

  /** For programs. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** For people. */
  String shown() {
    return shown;
  }

  Style style() {
    return style;
  }
}
