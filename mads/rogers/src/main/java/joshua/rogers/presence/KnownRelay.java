package joshua.rogers.presence;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.tasks.model.QueryFilter;

/**
 * What Rogers knows about one run of a relay, at one moment.
 *
 * @param heard when its last marker or page came
 * @param comparedUntil the cut up to which it has been compared; empty before its first complete
 *     ledger, and after it has fallen silent
 * @param subscriptions that its last ledger names
 * @param differences found since it has been known
 */
public record KnownRelay(
    RelayId id,
    Instant heard,
    Optional<Instant> comparedUntil,
    int subscriptions,
    long differences) {

  public ObjectNode json() {
    return Json.object()
        .put("relay", id.name())
        .put("instance", id.instance())
        .put("epoch", id.epoch())
        .put("heard", QueryFilter.stored(heard))
        .put("compared_until", comparedUntil.map(QueryFilter::stored).orElse(null))
        .put("subscriptions", subscriptions)
        .put("differences", differences);
  }
}
