package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import joshua.kernel.TimedWait;

/**
 * A client that behaves, whatever others do: it sends a message to itself, polls until that comes,
 * and does it again, measuring how long each round takes.
 */
final class WellBehavedClient implements AutoCloseable {
  private static final int PERCENT = 100;
  private static final Duration BETWEEN_ROUNDS = Duration.ofMillis(20);
  private static final int TROUBLES = 3;

  /** One message: until its sending was answered, and from then until it came. */
  record Round(Duration sent, Duration came) implements Comparable<Round> {
    @Override
    public int compareTo(Round other) {
      return whole().compareTo(other.whole());
    }

    Duration whole() {
      return sent.plus(came);
    }

    @Override
    public String toString() {
      return "%d + %d ms".formatted(sent.toMillis(), came.toMillis());
    }
  }

  private final FrameSocketClient socket;
  private final List<Round> rounds = new CopyOnWriteArrayList<>();
  private final List<String> troubles = new CopyOnWriteArrayList<>();
  private final Thread thread;
  private volatile boolean closed;

  WellBehavedClient(FrameSocketClient socket) {
    this.socket = socket;
    socket.subscribe("neighbour", "mad.direct.neighbour");
    this.thread = Thread.ofVirtual().name("neighbour").start(this::live);
  }

  private void live() {
    try {
      for (int n = 1; !closed; n++) {
        long began = System.nanoTime();
        JsonNode sent = socket.send("neighbour", "mad.direct.neighbour", "{'n':%d}".formatted(n));
        long answered = System.nanoTime();
        JsonNode polled = socket.poll("neighbour");
        rounds.add(
            new Round(
                Duration.ofNanos(answered - began),
                Duration.ofNanos(System.nanoTime() - answered)));
        if (polled.path("messages").path(0).path("payload").path("n").asInt() != n) {
          trouble("after %s came %s".formatted(sent, polled));
        }
        TimedWait.system().pause(BETWEEN_ROUNDS);
      }
    } catch (AssertionError | InterruptedException e) {
      trouble(e.toString());
    }
  }

  private void trouble(String what) {
    if (!closed && troubles.size() < TROUBLES) {
      troubles.add(what);
    }
  }

  /** How many messages have come back so far. */
  int rounds() {
    return rounds.size();
  }

  /** The errors found. */
  List<String> troubles() {
    return troubles;
  }

  /** The slowest round after leaving out a percentage of the slowest. */
  Round slowest(int percentLeftOut) {
    List<Round> sorted = rounds.stream().sorted().toList();
    return sorted.get((sorted.size() - 1) * (PERCENT - percentLeftOut) / PERCENT);
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
