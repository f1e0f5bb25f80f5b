package joshua.e2e;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.kernel.TimedWait;

/**
 * The log of a running Fiedler at level debug, followed for the points that tasks reach. Not for
 * several threads.
 */
final class PointLog implements AutoCloseable {
  /** Every named point between a request and its notification, in that order. */
  static final List<String> POINTS =
      List.of(
          "ASKED",
          "ACCEPTED",
          "CLAIMED",
          "WORK_BEGUN",
          "TOKENS_CAME",
          "TOKENS_KEPT",
          "FRAME_PUBLISHED",
          "WORK_DONE",
          "OUTCOME_KEPT",
          "STREAM_ENDED",
          "NOTIFIED",
          "TOLD");

  private static final Pattern REACHED = Pattern.compile("point ([A-Z_]+) of task ([0-9a-f-]{36})");
  private static final Duration LOOKS_EVERY = Duration.ofMillis(1);
  private static final int AT_ONCE = 1 << 20;

  private final RandomAccessFile file;
  private final byte[] buffer = new byte[AT_ONCE];
  private final Map<String, Integer> reached = new HashMap<>();
  private final Map<String, String> last = new HashMap<>();
  private String partial = "";

  PointLog(Path file) {
    try {
      this.file = new RandomAccessFile(file.toFile(), "r");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Counts from here on. */
  void mark() {
    drain();
    reached.clear();
  }

  /**
   * Waits for a point to be reached for the {@code nth} time since the {@link #mark}.
   *
   * @return whether it was, before the time was over
   */
  boolean await(String point, int nth, Duration most, BooleanSupplier alive)
      throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    drain();
    while (reached.getOrDefault(point, 0) < nth
        && System.nanoTime() < end
        && alive.getAsBoolean()) {
      TimedWait.system().pause(LOOKS_EVERY);
      drain();
    }
    return reached.getOrDefault(point, 0) >= nth;
  }

  /**
   * Each task's last known point. Notified tasks are left out, and those only requested: a repeated
   * request is made under an id of its own.
   */
  Map<String, String> standing() {
    drain();
    Map<String, String> standing = new HashMap<>(last);
    standing.values().removeAll(List.of("ASKED", "TOLD"));
    return standing;
  }

  private void drain() {
    try {
      int read = file.read(buffer);
      while (read > 0) {
        take(new String(buffer, 0, read, StandardCharsets.ISO_8859_1));
        read = file.read(buffer);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void take(String text) {
    String all = partial + text;
    int end = all.lastIndexOf('\n') + 1;
    partial = all.substring(end);
    Matcher points = REACHED.matcher(all).region(0, end);
    while (points.find()) {
      reached.merge(points.group(1), 1, Integer::sum);
      last.put(points.group(2), points.group(1));
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
