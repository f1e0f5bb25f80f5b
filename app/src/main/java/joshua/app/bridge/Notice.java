package joshua.app.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import joshua.service.admin.MadStatusVerb;

/** The sentence by which a client is told that messages wait: numbers and names, no content. */
final class Notice {
  private Notice() {}

  /** That of an answer of {@code grace_await} by which something waits. */
  static String of(String name, JsonNode answer) {
    int waiting = answer.path("waiting").asInt();
    String from = answer.path("from").asText();
    String age = MadStatusVerb.elapsed(Instant.parse(answer.path("oldest_at").asText()));
    return waiting == 1
        ? "1 message waits for %s, from %s, %s ago: read it with grace_poll_messages."
            .formatted(name, from, age)
        : "%d messages wait for %s, the oldest from %s, %s ago: read them with grace_poll_messages."
            .formatted(waiting, name, from, age);
  }
}
