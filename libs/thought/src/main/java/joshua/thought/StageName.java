package joshua.thought;

import java.util.Locale;

/** The stage that gave an answer (+FD-11). CET gives none: it prepares the Imperator's. */
public enum StageName {
  DTR,
  LPPM,
  IMPERATOR;

  /** As it stands in a {@code result_payload}. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
