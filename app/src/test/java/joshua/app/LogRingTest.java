package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.util.List;
import java.util.Map;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogRingTest {
  private final LoggerContext context = new LoggerContext();
  private final LogRing ring = LogRing.empty();

  @BeforeEach
  void start() {
    ring.setContext(context);
    ring.start();
  }

  private void log(Level level, String message) {
    LoggingEvent event =
        new LoggingEvent(
            "fqcn", context.getLogger("joshua.grace.Grace"), level, message, null, null);
    event.setMDCPropertyMap(Map.of());
    ring.doAppend(event);
  }

  @Test
  void givesTheNewestThatAreWantedOldestFirst() {
    log(Level.INFO, "one");
    log(Level.WARN, "two");
    log(Level.INFO, "three");
    log(Level.WARN, "four");

    assertThat(ring.newest(2, any -> true))
        .extracting(LogRing.Entry::message)
        .containsExactly("three", "four");
    assertThat(ring.newest(9, entry -> entry.level() == Level.WARN))
        .extracting(LogRing.Entry::message)
        .containsExactly("two", "four");
    assertThat(ring.newest(1, any -> true).getFirst().logger()).isEqualTo("Grace");
  }

  @Test
  void forgetsTheOldestBeyondItsLines() {
    for (int i = 0; i <= LogRing.LINES; i++) {
      log(Level.INFO, "line " + i);
    }
    List<LogRing.Entry> all = ring.newest(LogRing.LINES + 1, any -> true);
    assertThat(all).hasSize(LogRing.LINES);
    assertThat(all.getFirst().message()).isEqualTo("line 1");
  }

  @Test
  @TriesLimit("log.ring")
  void forgetsTheOldestBeyondItsCharacters() {
    String long1 = "x".repeat(LogRing.LONGEST + 10);
    int fit = LogRing.CHARACTERS / (LogRing.LONGEST + 1);
    for (int i = 0; i <= fit; i++) {
      log(Level.INFO, long1);
    }
    List<LogRing.Entry> all = ring.newest(LogRing.LINES, any -> true);
    assertThat(all).hasSize(fit);
    assertThat(all.getFirst().message()).hasSize(LogRing.LONGEST + 1).endsWith("…");
  }

  @Test
  void whoFollowsIsGivenEachLineThatComes() throws Exception {
    log(Level.INFO, "before");
    long seen = ring.sequence();
    Thread writer = Thread.ofVirtual().start(() -> log(Level.INFO, "after"));
    assertThat(ring.after(seen, 10_000))
        .extracting(LogRing.Entry::message)
        .containsExactly("after");
    writer.join();
    assertThat(ring.after(seen + 1, 0)).isEmpty();
  }
}
