package joshua.network;

import java.util.Optional;

/** One thing that has to be usable before a MAD calls itself ready (+JN-05). Must not block. */
public interface ReadinessCheck {
  /** What is checked, {@code bus} for instance. */
  String name();

  /** A sentence on why it isn't usable; empty when it is. */
  Optional<String> problem();
}
