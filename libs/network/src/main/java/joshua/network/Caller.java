package joshua.network;

import java.util.Optional;
import joshua.kernel.Role;

/**
 * Who makes a call.
 *
 * @param identity the client id that the bearer token stands for; empty when no tokens are in force
 * @param connectionId names the connection for logs and limits, unique in this process
 */
public record Caller(Optional<String> identity, Role role, String connectionId) {}
