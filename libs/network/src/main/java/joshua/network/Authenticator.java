package joshua.network;

import java.util.Optional;
import joshua.kernel.Role;
import org.jspecify.annotations.Nullable;

/** Decides who a caller is. Cheap enough to use for every call: it doesn't block for long. */
@FunctionalInterface
public interface Authenticator {
  /** The {@link #generation} of callers that are always the same. */
  long NEVER_CHANGES = -1;

  /**
   * The caller; empty when a token is required and is missing or unknown.
   *
   * @param authorization the value of the {@code Authorization} header, null if there is none
   */
  Optional<Caller> caller(@Nullable String authorization, String connectionId);

  /**
   * A number that changes when the result for a caller may have changed. One that never changes
   * means that callers never do.
   */
  default long generation() {
    return NEVER_CHANGES;
  }

  /** Why it can't authenticate callers at present, as a sentence that anyone may read. */
  default Optional<String> problem() {
    return Optional.empty();
  }

  /** No tokens in force: every caller may do everything, and has no identity. */
  static Authenticator open() {
    return (authorization, connectionId) ->
        Optional.of(new Caller(Optional.empty(), Role.ADMIN, connectionId));
  }
}
