package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One task's stream as a listener on the bus assembles it (wire contract §2): by attempt and
 * sequence, repeats dropped, a restart voiding what came before.
 */
final class TaskStream {
  private final List<JsonNode> frames = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private final List<String> voided = new ArrayList<>();
  private int attempt = 1;
  private int repeats;

  /** Takes the next envelope, in the order in which Redis delivered. */
  void hear(JsonNode envelope) {
    JsonNode frame = envelope.path("payload");
    int of = frame.path("attempt").asInt(1);
    if (of > attempt && frame.path("restart").asBoolean()) {
      voided.add(text());
      frames.clear();
      attempt = of;
    }
    int sequence = frame.path("sequence").asInt(-1);
    if (of != attempt) {
      faults.add("a frame of attempt %d in attempt %d: %s".formatted(of, attempt, frame));
    } else if (sequence == frames.size()) {
      if (ended()) {
        faults.add("a frame after the final one: " + frame);
      }
      frames.add(envelope);
    } else if (sequence > frames.size() || sequence < 0) {
      faults.add("frame %d is missing before %s".formatted(frames.size(), frame));
    } else {
      repeated(envelope, frames.get(sequence));
    }
  }

  private void repeated(JsonNode again, JsonNode before) {
    repeats++;
    if (!again.path("payload").equals(before.path("payload"))
        || !again.path("message_id").equals(before.path("message_id"))) {
      faults.add("%s came again as %s".formatted(before, again));
    }
  }

  boolean ended() {
    return !frames.isEmpty() && frames.getLast().at("/payload/final").asBoolean();
  }

  /** The state in the final frame. */
  String status() {
    return ended() ? frames.getLast().at("/payload/status").asText() : "not ended";
  }

  /** The tokens of the attempt that counts, joined. */
  String text() {
    StringBuilder text = new StringBuilder();
    frames.forEach(frame -> text.append(frame.at("/payload/token").asText()));
    return text.toString();
  }

  /** The same, model by model. */
  Map<String, String> texts() {
    Map<String, String> texts = new TreeMap<>();
    for (JsonNode frame : frames) {
      JsonNode payload = frame.path("payload");
      if (payload.has("model")) {
        texts.merge(payload.path("model").asText(), payload.path("token").asText(), String::concat);
      }
    }
    return texts;
  }

  List<JsonNode> payloads() {
    return frames.stream().map(frame -> frame.path("payload")).toList();
  }

  /** What was received of attempts that a restart has voided. */
  List<String> voided() {
    return List.copyOf(voided);
  }

  /** Violations: holes, and repeats that differ. */
  List<String> faults() {
    return List.copyOf(faults);
  }

  int attempt() {
    return attempt;
  }

  int repeats() {
    return repeats;
  }
}
