package joshua.rogers.verb;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import joshua.kernel.Json;
import org.junit.jupiter.api.Test;

/** Tests how the tools' answers are formatted for people. */
class DisplayTextTest {
  @Test
  void spansThatWereNotSeenAreSentences() {
    ArrayNode spans = Json.object().putArray("spans");
    spans
        .addObject()
        .put("since", "2026-11-18T14:04:00.000Z")
        .putNull("until")
        .put("reason", "Redis was away")
        .put("missed", 1);
    assertThat(DisplayText.notSeen(spans))
        .containsExactly(
            "Not seen from 2026-11-18 14:04:00 to now (Redis was away): 1 message missed.");
    while (spans.size() < 12) {
      spans.add(spans.path(0).deepCopy());
    }
    assertThat(DisplayText.notSeen(spans)).hasSize(11).last().isEqualTo("Not seen: 2 spans more.");
  }

  @Test
  void whatIsNoTimeIsADash() {
    assertThat(DisplayText.time(Json.object().putNull("at").path("at"))).isEqualTo("-");
    assertThat(DisplayText.time(Json.object().put("at", "").path("at"))).isEqualTo("-");
  }
}
