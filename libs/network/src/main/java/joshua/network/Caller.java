package joshua.network;

import java.util.Optional;
import joshua.kernel.Role;

/**
 * The caller of a tool.
 *
 * @param identity the client id of the bearer token; empty when no tokens are in force
 * @param connectionId identifies the connection for logs and limits, unique in this process
 */
public record Caller(Optional<String> identity, Role role, String connectionId) {}
