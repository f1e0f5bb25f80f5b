package joshua.ssh;

import java.io.Serial;
import joshua.kernel.Refusal;

/** The failure of a verb; the refusal's sentence says why. */
public final class VerbFailedException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  public VerbFailedException(Refusal refusal) {
    super(refusal.message());
    this.refusal = refusal;
  }

  int exitStatus() {
    return switch (refusal.code()) {
      case BUS_UNAVAILABLE, OVERLOADED -> ExitStatus.UNAVAILABLE;
      case INTERNAL -> ExitStatus.INTERNAL;
      default -> ExitStatus.FAILED;
    };
  }
}
