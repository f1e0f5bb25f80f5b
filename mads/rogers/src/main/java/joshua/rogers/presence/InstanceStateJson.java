package joshua.rogers.presence;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.Json;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes and reads the instances of a participant as they appear in the column {@code instances}
 * and in answers.
 */
final class InstanceStateJson {
  private static final Logger log = LoggerFactory.getLogger(InstanceStateJson.class);

  private InstanceStateJson() {}

  static ArrayNode write(List<InstanceState> lives) {
    ArrayNode rows = Json.object().arrayNode();
    for (InstanceState instanceState : lives) {
      ObjectNode row =
          rows.addObject()
              .put("instance", instanceState.instance())
              .put("status", instanceState.state().name())
              .put("last_heartbeat", EnvelopeCodec.timestamp(instanceState.lastHeard()));
      put(row, instanceState.beat());
      instanceState.left().ifPresent(reason -> row.put("left", reason));
    }
    return rows;
  }

  /** Writes what a heartbeat says as members of {@code row}. */
  static void put(ObjectNode row, Optional<HeartbeatReport> beat) {
    row.put("has_beaten", beat.isPresent());
    row.put(
        "interval_s",
        beat.flatMap(HeartbeatReport::interval).map(Duration::toSeconds).orElse(null));
    row.put(
        "busy_until",
        beat.flatMap(HeartbeatReport::busyUntil).map(EnvelopeCodec::timestamp).orElse(null));
    row.put("version", beat.flatMap(HeartbeatReport::version).orElse(null));
    row.put("via", beat.flatMap(HeartbeatReport::via).orElse(null));
  }

  /** Reads what {@link #write} wrote; nothing if the text has another form. */
  static List<InstanceState> read(String json) {
    List<InstanceState> lives = new ArrayList<>();
    try {
      Json.parse(json).forEach(row -> lives.add(life(row)));
    } catch (Json.MalformedJsonException | RuntimeException e) {
      log.warn("the instances in a row of the registry can't be read; they are left out", e);
      return List.of();
    }
    return lives;
  }

  private static InstanceState life(JsonNode row) {
    Optional<HeartbeatReport> beat =
        row.path("has_beaten").asBoolean()
            ? Optional.of(
                new HeartbeatReport(
                    text(row, "interval_s").map(Long::valueOf).map(Duration::ofSeconds),
                    text(row, "busy_until").map(Instant::parse),
                    text(row, "version"),
                    text(row, "via")))
            : Optional.empty();
    return new InstanceState(
        row.path("instance").asText(),
        ConnectionState.valueOf(row.path("status").asText()),
        Instant.parse(row.path("last_heartbeat").asText()),
        beat,
        text(row, "left"));
  }

  private static Optional<String> text(JsonNode row, String member) {
    return row.hasNonNull(member) ? Optional.of(row.path(member).asText()) : Optional.empty();
  }
}
