package joshua.thought;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether a prompt may be answered without a language model (wire contract §3). */
public enum OfflineMode {
  /** If a stage without a model clearly can. */
  AUTO,
  /** Never: the prompt goes to the model. */
  NEVER,
  /** Always: the prompt never goes to a model. */
  ONLY;

  /** Its name in a call. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The mode of that name. */
  public static Optional<OfflineMode> named(String wireName) {
    return Stream.of(values()).filter(mode -> mode.wireName().equals(wireName)).findFirst();
  }
}
