package joshua.service.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** A buffer of the last {@value #MAX_LINES} log lines of this process. Guarded by itself. */
public final class RecentLog {
  static final int MAX_LINES = 1_000;
  private static final int MAX_TEXT = 8 * 1024;

  /** A line; numbers begin at 1, and the text includes the stack trace, if there is one. */
  public record Line(
      long number,
      Instant time,
      String level,
      String logger,
      @Nullable String correlationId,
      String text) {}

  private final Deque<Line> lines = new ArrayDeque<>();
  private long last;

  /** Adds a line, and truncates a long text. */
  public synchronized void add(
      Instant time, Level level, String logger, @Nullable String correlationId, String text) {
    String kept = text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
    lines.add(new Line(++last, time, level.name(), logger, correlationId, kept));
    if (lines.size() > MAX_LINES) {
      lines.remove();
    }
    notifyAll();
  }

  /** The newest {@code most} lines after a number, oldest first; waits if there are none. */
  synchronized List<Line> after(long number, Level least, int most, Duration wait)
      throws InterruptedException {
    long end = System.nanoTime() + wait.toNanos();
    while (true) {
      List<Line> found =
          lines.stream()
              .filter(line -> line.number() > number)
              .filter(line -> Level.valueOf(line.level()).toInt() >= least.toInt())
              .toList();
      long left = end - System.nanoTime();
      if (!found.isEmpty() || left <= 0) {
        return found.subList(Math.max(0, found.size() - most), found.size());
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }
}
