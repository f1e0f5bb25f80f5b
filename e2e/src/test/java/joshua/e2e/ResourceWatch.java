package joshua.e2e;

import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import joshua.kernel.TimedWait;

/**
 * Measures every few seconds what the processes of a group hold, and whether each MAD answers
 * {@code /healthz} on a new connection; keeps the maximum of each.
 */
final class ResourceWatch implements AutoCloseable {
  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(5);
  private static final int OK = 200;

  private final AttackTarget target;
  private final Thread thread;
  private final Map<String, ProcessReading> most = new ConcurrentHashMap<>();
  private final Map<String, Long> silentSince = new ConcurrentHashMap<>();
  private final Map<String, Long> longestSilence = new ConcurrentHashMap<>();
  private volatile boolean closed;

  ResourceWatch(AttackTarget target) {
    this.target = target;
    this.thread = Thread.ofPlatform().daemon().name("resource-watch").start(this::live);
  }

  private void live() {
    try {
      while (!closed) {
        look();
        TimedWait.system().pause(EVERY);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() throws InterruptedException {
    target
        .processes()
        .get()
        .forEach((name, pid) -> {
          try {
            most.merge(name, ProcessReading.of(pid), ProcessReading::most);
          } catch (UncheckedIOException e) {
            // It has ended in the meantime, which the faults report.
          }
        });
    for (String mad : AttackTarget.MADS) {
      long asked = System.nanoTime();
      if (answers(target.ports().get(mad))) {
        silentSince.remove(mad);
      } else {
        silentSince.putIfAbsent(mad, asked);
        long silent = System.nanoTime() - silentSince.get(mad);
        longestSilence.merge(mad, Duration.ofNanos(silent).toMillis(), Math::max);
      }
    }
  }

  private static boolean answers(int port) throws InterruptedException {
    URI page = URI.create("http://127.0.0.1:%d/healthz".formatted(port));
    HttpRequest request = HttpRequest.newBuilder(page).timeout(ANSWERS_WITHIN).build();
    try (HttpClient http = HttpClient.newBuilder().connectTimeout(ANSWERS_WITHIN).build()) {
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == OK;
    } catch (java.io.IOException e) {
      return false;
    }
  }

  /** The maximum measured for each process. */
  Map<String, ProcessReading> most() {
    return new TreeMap<>(most);
  }

  /** The longest time, in milliseconds, for which each MAD didn't answer a new connection. */
  Map<String, Long> silences() {
    return new TreeMap<>(longestSilence);
  }

  /** The current resources of each process, the JVMs after a collection. */
  static Map<String, ProcessReading> exactly(AttackTarget target, String redis) {
    Map<String, ProcessReading> readings = new LinkedHashMap<>();
    target
        .processes()
        .get()
        .forEach((name, pid) ->
            readings.put(
                name,
                name.equals(redis) ? ProcessReading.of(pid) : ProcessReading.afterCollection(pid)));
    return readings;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
