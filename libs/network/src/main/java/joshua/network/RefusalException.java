package joshua.network;

import joshua.kernel.Refusal;
import org.jspecify.annotations.Nullable;

/** An expected refusal, for code that a tool calls: a call that it ends is refused so. */
public class RefusalException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Refusal refusal;

  protected RefusalException(Refusal refusal, @Nullable Throwable cause) {
    super(refusal.message(), cause);
    this.refusal = refusal;
  }

  /** What a caller is told. */
  public final Refusal refusal() {
    return refusal;
  }
}
