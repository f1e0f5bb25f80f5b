package joshua.rogers.presence;

import java.time.Instant;
import java.util.Optional;

/**
 * A participant's change from one state to another.
 *
 * @param before empty at its first appearance
 */
public record StateChange(
    Instant at,
    String madId,
    Optional<ConnectionState> before,
    ConnectionState after,
    String why) {}
