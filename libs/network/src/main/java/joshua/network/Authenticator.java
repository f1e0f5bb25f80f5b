package joshua.network;

import java.util.Optional;
import joshua.kernel.Role;
import org.jspecify.annotations.Nullable;

/** Decides who a caller is. Safe to ask for every call: it doesn't block for long. */
@FunctionalInterface
public interface Authenticator {
  /** The {@link #generation} of callers that are always the same. */
  long NEVER_CHANGES = -1;

  /**
   * The caller, or nothing when a token is needed and isn't there or isn't known.
   *
   * @param authorization the value of the {@code Authorization} header, null where there is none
   */
  Optional<Caller> caller(@Nullable String authorization, String connectionId);

  /**
   * A number that is another one once a caller may be another, or nobody, by now. One that never
   * changes says that callers never do.
   */
  default long generation() {
    return NEVER_CHANGES;
  }

  /** What keeps it from telling who may call, in a sentence that anybody may read. */
  default Optional<String> problem() {
    return Optional.empty();
  }

  /** No tokens in force: everybody may do everything, and nobody has an identity. */
  static Authenticator open() {
    return (authorization, connectionId) ->
        Optional.of(new Caller(Optional.empty(), Role.ADMIN, connectionId));
  }
}
