package joshua.network;

import java.util.Optional;
import joshua.kernel.Role;

/** The author of a call; the identity is the name of its token or key, if there is one. */
public record Caller(Optional<String> identity, Role role, Connection connection) {
  /** A local caller, who is an administrator. */
  public static Caller local(Connection connection) {
    return new Caller(Optional.empty(), Role.ADMIN, connection);
  }
}
