package joshua.network;

import java.util.Optional;
import joshua.kernel.Role;
import org.jspecify.annotations.Nullable;

/** The check of a connection's credentials, made for each call, so it must not block. */
@FunctionalInterface
public interface Authenticator {
  /** The absence of tokens: whoever reaches the port is an administrator. */
  Authenticator OPEN = authorization -> Optional.of(new Identity(Optional.empty(), Role.ADMIN));

  /** A name, absent where there are no tokens, and its role. */
  record Identity(Optional<String> name, Role role) {
    public Caller on(Connection connection) {
      return new Caller(name, role, connection);
    }
  }

  /** The identity for a header {@code Authorization}; empty if it has no valid token. */
  Optional<Identity> identity(@Nullable String authorization);

  /** The reason why identities may be out of date, if so. */
  default Optional<String> problem() {
    return Optional.empty();
  }
}
