package joshua.network;

import java.util.OptionalDouble;

/** Where a running call tells how far it is. Safe to call from any thread; never blocks. */
@FunctionalInterface
public interface Progress {
  /** Nobody asked. */
  Progress UNHEARD = (done, total, message) -> {};

  /**
   * Tells how far the call is.
   *
   * @param done grows with every report
   * @param total in the unit of {@code done}, where it is known
   * @param message for a person, may be empty
   */
  void report(double done, OptionalDouble total, String message);
}
