package joshua.rogers.alert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import joshua.kernel.Json;
import joshua.rogers.alert.SystemEvents.Event;
import joshua.rogers.alert.SystemEvents.Kind;
import org.junit.jupiter.api.Test;

class SystemEventsTest {
  private static final Instant BEGIN = Instant.parse("2026-11-18T12:00:00Z");

  private final SystemEvents events = new SystemEvents();

  private List<Event> due(Instant now) {
    return events.due(now, Duration.between(BEGIN, now).toNanos());
  }

  private static ObjectNode detail(int number) {
    return Json.object().put("number", number);
  }

  @Test
  void theFirstIsToldAtOnceAndTheRestAfterTenSecondsWithTheirCountAndTheNewestDetail() {
    events.note(Kind.DEAD_LETTER, "mad.x", 1, detail(1));
    assertThat(due(BEGIN))
        .containsExactly(new Event(Kind.DEAD_LETTER, "mad.x", BEGIN, 1, detail(1)));
    events.note(Kind.DEAD_LETTER, "mad.x", 1, detail(2));
    events.note(Kind.DEAD_LETTER, "mad.x", 3, detail(3));
    assertThat(due(BEGIN.plusMillis(9_999))).isEmpty();
    Instant later = BEGIN.plusSeconds(10);
    assertThat(due(later))
        .containsExactly(new Event(Kind.DEAD_LETTER, "mad.x", later, 4, detail(3)));
    assertThat(due(later.plusSeconds(60))).isEmpty();
  }

  @Test
  void aClockThatIsSetBackKeepsNothingQuiet() {
    events.note(Kind.STORM, "ann", 1, detail(1));
    assertThat(due(BEGIN)).hasSize(1);
    events.note(Kind.STORM, "ann", 1, detail(2));
    Instant earlier = BEGIN.minusSeconds(3_600);
    assertThat(events.due(earlier, SystemEvents.QUIET.toNanos() - 1)).isEmpty();
    assertThat(events.due(earlier, SystemEvents.QUIET.toNanos())).hasSize(1);
  }

  @Test
  void kindsAndSubjectsDoNotHoldEachOtherUp() {
    events.note(Kind.STORM, "ann", 1, detail(1));
    assertThat(due(BEGIN)).hasSize(1);
    events.note(Kind.STATE, "ann", 1, detail(2));
    events.note(Kind.STORM, "bob", 1, detail(3));
    assertThat(due(BEGIN)).hasSize(2);
  }

  @Test
  void aSubjectTooManyIsToldOfWithTheOthers() {
    for (int i = 0; i < SystemEvents.SUBJECTS + 2; i++) {
      events.note(Kind.UNHEARD, "mad.topic.t" + i, 5, detail(i));
    }
    List<Event> due = due(BEGIN);
    assertThat(due).hasSize(SystemEvents.SUBJECTS + 1);
    assertThat(due.getLast().subject()).isEqualTo(SystemEvents.OTHERS);
    assertThat(due.getLast().count()).isEqualTo(10);
  }

  @Test
  void theMessageHasTheCountBesideTheDetail() {
    assertThat(new Event(Kind.LOOP, "id", BEGIN, 20, detail(1)).payload())
        .isEqualTo(
            Json.object()
                .put("event", "loop")
                .put("at", "2026-11-18T12:00:00.000Z")
                .put("subject", "id")
                .put("count", 20L)
                .put("number", 1));
  }
}
