package joshua.network;

import java.util.Optional;
import joshua.kernel.Role;

/** Who makes a call; the identity is the name that a token or key stands for, if there is one. */
public record Caller(Optional<String> identity, Role role, Connection connection) {
  /** A local caller where there are no tokens: an administrator. */
  public static Caller local(Connection connection) {
    return new Caller(Optional.empty(), Role.ADMIN, connection);
  }
}
