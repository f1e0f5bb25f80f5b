package joshua.rogers.incident;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule for loops (+RG-18), with new ids in each message. */
class LoopDetectorTest {
  private final PendingIncidents incidents = new PendingIncidents();
  private final LoopDetector loops =
      new LoopDetector(incidents, Set.of("grace", "dewey")::contains);
  private Instant now = Instant.parse("2026-11-27T14:00:00Z");
  private int turn;

  private void sends(String sender, Channel channel) {
    UUID id = UUID.randomUUID();
    Envelope envelope =
        new Envelope(id, id, id, now, sender, Optional.empty(), channel, Json.object(), Map.of());
    loops.record(envelope, 300, now);
  }

  private void hops(int hops, Duration each, String... ring) {
    for (int i = 0; i < hops; i++) {
      now = now.plus(each);
      String sender = ring[turn++ % ring.length];
      sends(sender, Channel.direct(ring[turn % ring.length]));
    }
  }

  @Test
  void servicesAmongThemselvesAreNoLoop() {
    hops(100, Duration.ofMillis(250), "grace", "dewey");
    assertThat(found()).isEmpty();
  }

  private List<Incident> found() {
    List<Incident> found = incidents.all();
    incidents.clear();
    return found;
  }

  @ParameterizedTest
  @CsvSource({
    "200, 'ann,bob', true", "3000, 'ann,bob', true", "30000, 'ann,bob', false",
    "200, 'ann,bob,carl', true", "3000, 'ann,bob,carl', true", "30000, 'a,b,c,d,e', false",
    "200, 'ann,grace', true"
  })
  void whoTakesTurnsForFortyHopsIsListed(long millis, String ring, boolean isProblem) {
    String[] names = ring.split(",", -1);
    // Who is in the ring is known when the last of them has sent.
    hops(39 + names.length - 2, Duration.ofMillis(millis), names);
    assertThat(found()).isEmpty();
    hops(3, Duration.ofMillis(millis), names);
    assertThat(found())
        .singleElement()
        .satisfies(loop -> {
          assertThat(loop.subject()).isEqualTo(ring);
          assertThat(loop.isProblem()).isEqualTo(isProblem);
          assertThat(loop.detail())
              .startsWith("may be a loop: ")
              .contains(
                  " -> ", "one each %.1f s".formatted(millis / 1000.0), "of 300 to 300 bytes");
        });
  }

  @Test
  void itIsListedOnceAnHour() {
    hops(30 * 60, Duration.ofSeconds(1), "ann", "bob");
    assertThat(found()).hasSize(1);
    hops(45 * 60, Duration.ofSeconds(1), "ann", "bob");
    assertThat(found())
        .singleElement()
        .satisfies(loop -> assertThat(loop.detail()).contains("hops in 60 min"));
  }

  @Test
  void whoSaysSomethingElseBetweenConverses() {
    for (int i = 0; i < 10; i++) {
      hops(30, Duration.ofMillis(200), "ann", "bob");
      sends("bob", Channel.topic("status"));
      hops(6, Duration.ofMillis(200), "ann", "bob");
      sends("bob", Channel.direct("carl"));
    }
    assertThat(found()).isEmpty();
  }

  @Test
  void whoSendsTwiceInARowDoesNotTakeTurns() {
    for (int i = 0; i < 100; i++) {
      hops(2, Duration.ofMillis(200), "ann", "bob");
      sends("bob", Channel.direct("ann"));
    }
    assertThat(found()).isEmpty();
  }

  @Test
  void manyWhoTalkToOneAreNoLoop() {
    for (int i = 0; i < 200; i++) {
      sends("s" + i % 7, Channel.direct("hub"));
      sends("hub", Channel.direct("s" + i % 7));
      now = now.plusSeconds(1);
    }
    assertThat(found()).isEmpty();
  }
}
