package joshua.network;

import java.util.Optional;
import joshua.kernel.Role;
import org.jspecify.annotations.Nullable;

/** Decides who a caller is. Safe to ask for every call: it doesn't block for long. */
@FunctionalInterface
public interface Authenticator {

  /**
   * The caller, or nothing when a token is needed and isn't there or isn't known.
   *
   * @param authorization the value of the {@code Authorization} header, null where there is none
   */
  Optional<Caller> caller(@Nullable String authorization, String connectionId);

  /** No tokens in force: everybody may do everything, and nobody has an identity. */
  static Authenticator open() {
    return (authorization, connectionId) ->
        Optional.of(new Caller(Optional.empty(), Role.ADMIN, connectionId));
  }
}
