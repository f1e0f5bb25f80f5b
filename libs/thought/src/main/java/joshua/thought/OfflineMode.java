package joshua.thought;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether a prompt may be answered without a language model (wire contract §3). */
public enum OfflineMode {
  /** Where a stage without a model clearly can. */
  AUTO,
  /** Never: it goes to the model. */
  NEVER,
  /** Only so: it never goes to a model. */
  ONLY;

  /** As it stands in a call. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The mode of that name. */
  public static Optional<OfflineMode> named(String wireName) {
    return Stream.of(values()).filter(mode -> mode.wireName().equals(wireName)).findFirst();
  }
}
