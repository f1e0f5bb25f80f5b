package joshua.thought;

import java.util.Locale;

/** The stage that answered (+FD-11). CET never does: it prepares the Imperator's input. */
public enum StageName {
  DTR,
  LPPM,
  IMPERATOR;

  /** Its name in a {@code result_payload}. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
