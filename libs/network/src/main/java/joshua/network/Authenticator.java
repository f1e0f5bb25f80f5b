package joshua.network;

import java.util.Optional;
import joshua.kernel.Role;
import org.jspecify.annotations.Nullable;

/** Decides whom a connection speaks for; asked at each call, so it mustn't wait. */
@FunctionalInterface
public interface Authenticator {
  /** No tokens: who reaches the port is an administrator. */
  Authenticator OPEN = authorization -> Optional.of(new Identity(Optional.empty(), Role.ADMIN));

  /** A name, unless there are no tokens, and what it may do. */
  record Identity(Optional<String> name, Role role) {
    public Caller on(Connection connection) {
      return new Caller(name, role, connection);
    }
  }

  /** Whom a connection with that header {@code Authorization} speaks for, if anybody. */
  Optional<Identity> identity(@Nullable String authorization);

  /** Why it may not decide as its administrator wants at present, if so. */
  default Optional<String> problem() {
    return Optional.empty();
  }
}
