package joshua.network;

import java.util.Optional;
import java.util.function.Supplier;

/** A condition for a MAD's readiness (+JN-05). Must not block. */
public interface ReadinessCheck {
  /** What is checked, {@code bus} for instance. */
  String name();

  /** A sentence on why it isn't usable; empty when it is. */
  Optional<String> problem();

  /** A check of that name with this {@code problem}. */
  static ReadinessCheck of(String name, Supplier<Optional<String>> problem) {
    return new ReadinessCheck() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Optional<String> problem() {
        return problem.get();
      }
    };
  }
}
