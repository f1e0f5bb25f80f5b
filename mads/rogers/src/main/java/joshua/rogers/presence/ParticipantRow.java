package joshua.rogers.presence;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.Json;

/**
 * A row of the registry: a name on the bus as it is seen at one moment (REQ-RG-14).
 *
 * @param connectedAt when it last appeared
 * @param lastHeartbeat when its last message of any kind arrived
 * @param statusSince when its state last changed
 * @param why the reason for its state, as a sentence
 * @param instances all instances of this name, the one heard last at the end; at least one
 */
public record ParticipantRow(
    String madId,
    ConnectionState status,
    Instant connectedAt,
    Instant lastHeartbeat,
    Instant statusSince,
    String why,
    List<InstanceState> instances) {

  public ParticipantRow {
    instances = List.copyOf(instances);
  }

  /** The instance whose state is shown: the best; of several equal ones, the one heard last. */
  InstanceState shown() {
    return KnownParticipant.best(instances);
  }

  /** As tools and resources return it. */
  ObjectNode json() {
    ObjectNode row =
        Json.object()
            .put("mad_id", madId)
            .put("status", status.name())
            .put("connected_at", EnvelopeCodec.timestamp(connectedAt))
            .put("last_heartbeat", EnvelopeCodec.timestamp(lastHeartbeat))
            .put("status_since", EnvelopeCodec.timestamp(statusSince))
            .put("why", why);
    InstanceStateJson.put(row, shown().beat());
    row.set("instances", InstanceStateJson.write(instances));
    return row;
  }
}
