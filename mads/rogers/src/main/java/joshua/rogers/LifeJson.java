package joshua.rogers;

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

/** How the instances of a participant stand in the column {@code instances} and in answers. */
final class LifeJson {
  private static final Logger log = LoggerFactory.getLogger(LifeJson.class);

  private LifeJson() {}

  static ArrayNode write(List<Life> lives) {
    ArrayNode rows = Json.object().arrayNode();
    for (Life life : lives) {
      ObjectNode row =
          rows.addObject()
              .put("instance", life.instance())
              .put("status", life.state().name())
              .put("last_heartbeat", EnvelopeCodec.timestamp(life.lastHeard()));
      put(row, life.beat());
      life.left().ifPresent(reason -> row.put("left", reason));
    }
    return rows;
  }

  /** What a heartbeat says, as members of what it is said of. */
  static void put(ObjectNode row, Optional<Beat> beat) {
    row.put("has_beaten", beat.isPresent());
    row.put("interval_s", beat.flatMap(Beat::interval).map(Duration::toSeconds).orElse(null));
    row.put("busy_until", beat.flatMap(Beat::busyUntil).map(EnvelopeCodec::timestamp).orElse(null));
    row.put("version", beat.flatMap(Beat::version).orElse(null));
    row.put("via", beat.flatMap(Beat::via).orElse(null));
  }

  /** Reads what {@link #write} wrote; nothing when somebody else has written it. */
  static List<Life> read(String json) {
    List<Life> lives = new ArrayList<>();
    try {
      Json.parse(json).forEach(row -> lives.add(life(row)));
    } catch (Json.Malformed | RuntimeException e) {
      log.warn("the instances in a row of the registry can't be read; they are left out", e);
      return List.of();
    }
    return lives;
  }

  private static Life life(JsonNode row) {
    Optional<Beat> beat =
        row.path("has_beaten").asBoolean()
            ? Optional.of(
                new Beat(
                    text(row, "interval_s").map(Long::valueOf).map(Duration::ofSeconds),
                    text(row, "busy_until").map(Instant::parse),
                    text(row, "version"),
                    text(row, "via")))
            : Optional.empty();
    return new Life(
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
