package joshua.service.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.FutureTask;
import joshua.service.admin.RecentLog.Line;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class RecentLogTest {
  private static final Duration NO_WAIT = Duration.ZERO;

  private final RecentLog log = new RecentLog();

  private void add(Level level, String text) {
    log.add(Instant.EPOCH, level, "joshua.Test", null, text);
  }

  private static List<String> texts(List<Line> lines) {
    return lines.stream().map(Line::text).toList();
  }

  @Test
  void theNewestLinesOfALevelAreShownOldestFirst() throws Exception {
    add(Level.INFO, "a");
    add(Level.WARN, "b");
    add(Level.ERROR, "c");
    add(Level.DEBUG, "d");
    assertThat(texts(log.after(0, Level.TRACE, 3, NO_WAIT))).containsExactly("b", "c", "d");
    assertThat(texts(log.after(0, Level.WARN, 9, NO_WAIT))).containsExactly("b", "c");
    assertThat(texts(log.after(2, Level.INFO, 9, NO_WAIT))).containsExactly("c");
    assertThat(log.after(4, Level.TRACE, 9, NO_WAIT)).isEmpty();
  }

  @Test
  void whoWaitsIsShownTheNextLineOfItsLevel() throws Exception {
    FutureTask<List<Line>> waiting =
        new FutureTask<>(() -> log.after(0, Level.WARN, 9, Duration.ofMinutes(1)));
    Thread.startVirtualThread(waiting);
    add(Level.INFO, "not this");
    add(Level.WARN, "this");
    assertThat(texts(waiting.get())).containsExactly("this");
  }

  @Test
  void soManyLinesAreKeptAndOfALongOneItsBeginning() throws Exception {
    add(Level.INFO, "first");
    add(Level.INFO, "x".repeat(100_000));
    assertThat(texts(log.after(1, Level.INFO, 1, NO_WAIT)).getFirst()).hasSize(8_193).endsWith("…");
    for (int i = 0; i < RecentLog.MAX_LINES; i++) {
      add(Level.INFO, "line " + i);
    }
    List<Line> kept = log.after(0, Level.INFO, Integer.MAX_VALUE, NO_WAIT);
    assertThat(kept).hasSize(RecentLog.MAX_LINES);
    assertThat(kept.getFirst().text()).isEqualTo("line 0");
  }
}
