package joshua.network;

import joshua.kernel.Refusal;
import org.jspecify.annotations.Nullable;

/** An expected refusal as an exception, which becomes the result of the call that it ends. */
public class RefusalException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Refusal refusal;

  protected RefusalException(Refusal refusal, @Nullable Throwable cause) {
    super(refusal.message(), cause);
    this.refusal = refusal;
  }

  /** The refusal for the caller. */
  public final Refusal refusal() {
    return refusal;
  }
}
