package joshua.network;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * The turns in which large answers are written as JSON: half as many at once as there are
 * processors, in the order of the requests, and one at a time for each caller. So callers of large
 * answers wait for each other, and callers of small ones find a processor free (+JN-03). Whatever
 * produces a waiting answer holds and bounds it.
 */
public final class AnswerTurns {
  /** An answer of at least this many bytes is a large one. */
  public static final int LARGE = 64 * 1024;

  /** The processors are shared by all services of a process, and so are the turns. */
  public static final AnswerTurns OF_THIS_PROCESS =
      new AnswerTurns(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));

  private final Semaphore turns;
  private final ConcurrentHashMap<String, CallerLine> lines = new ConcurrentHashMap<>();

  /** The answers of one caller; how many are in it is guarded by the map. */
  private static final class CallerLine {
    private final Semaphore first = new Semaphore(1, true);
    private int waiting;
  }

  AnswerTurns(int atOnce) {
    this.turns = new Semaphore(atOnce, true);
  }

  /**
   * Runs the work when it is its turn.
   *
   * @param caller the recipient of the answer
   */
  public <T> T inTurn(String caller, Supplier<T> work) throws InterruptedException {
    CallerLine line =
        lines.compute(caller, (_, known) -> joined(known == null ? new CallerLine() : known));
    try {
      line.first.acquire();
      try {
        turns.acquire();
        try {
          return work.get();
        } finally {
          turns.release();
        }
      } finally {
        line.first.release();
      }
    } finally {
      lines.computeIfPresent(caller, (_, known) -> --known.waiting == 0 ? null : known);
    }
  }

  /** The key by which a caller's turns are counted: its identity, else its connection. */
  public static String of(Caller caller) {
    return caller.identity().orElse(caller.connectionId());
  }

  private static CallerLine joined(CallerLine line) {
    line.waiting++;
    return line;
  }

  /** How many callers have answers in progress. */
  int callers() {
    return lines.size();
  }
}
