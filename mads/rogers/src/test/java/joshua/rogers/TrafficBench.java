package joshua.rogers;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import joshua.testing.MessageFlood;

/**
 * Compares the cost of all of Rogers with that of a bare Lettuce subscriber, in alternating rounds:
 * run as its {@code main}. Rates depend on what else the machine does; the CPU time per message of
 * the thread that reads the socket hardly does.
 */
public final class TrafficBench {
  private static final int ROUNDS = 7;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private TrafficBench() {}

  /** Messages a second, and the reading threads' nanoseconds for one. */
  private record Result(double rate, double nanos) {}

  /** Runs; the messages of one round may be given. */
  public static void main(String[] arguments) throws Exception {
    long messages = arguments.length > 0 ? Long.parseLong(arguments[0]) : 300_000;
    List<Result> bare = new ArrayList<>();
    List<Result> rogers = new ArrayList<>();
    for (int round = 0; round <= ROUNDS; round++) {
      Result bareResult = bare(messages);
      Result rogersResult = rogers(messages);
      System.out.printf("round %d: bare %s, rogers %s%n", round, bareResult, rogersResult);
      if (round > 0) {
        // The first is for the compiler.
        bare.add(bareResult);
        rogers.add(rogersResult);
      }
    }
    Result bareMedian = median(bare);
    Result rogersMedian = median(rogers);
    System.out.printf(
        "median of %d rounds of %d messages: bare %.0f/s, rogers %.0f/s, ratio %.2f%n",
        ROUNDS,
        messages,
        bareMedian.rate(),
        rogersMedian.rate(),
        rogersMedian.rate() / bareMedian.rate());
    System.out.printf(
        "computing for one message: bare %.0f ns, rogers %.0f ns, ratio %.2f%n",
        bareMedian.nanos(), rogersMedian.nanos(), bareMedian.nanos() / rogersMedian.nanos());
  }

  private static Result median(List<Result> results) {
    return new Result(
        results.stream().mapToDouble(Result::rate).sorted().toArray()[ROUNDS / 2],
        results.stream().mapToDouble(Result::nanos).sorted().toArray()[ROUNDS / 2]);
  }

  private static MessageFlood flood(ObserverFixture fixture) {
    return new MessageFlood(
        fixture.redis().port(),
        fixture.redis().password(),
        MessageFlood.talk(20, 1_000, new Random(1)));
  }

  private static Result bare(long messages) throws Exception {
    try (ObserverFixture fixture = ObserverFixture.start();
        BareSubscriber bare = new BareSubscriber(fixture.redis());
        MessageFlood messageFlood = flood(fixture)) {
      return measure(messageFlood, messages, bare::count);
    }
  }

  private static Result rogers(long messages) throws Exception {
    try (ObserverFixture fixture = ObserverFixture.start();
        WholeRogers rogers = new WholeRogers(fixture);
        MessageFlood messageFlood = flood(fixture)) {
      return measure(messageFlood, messages, rogers::counted);
    }
  }

  private static Result measure(MessageFlood messageFlood, long messages, LongSupplier counted)
      throws Exception {
    FloodRate.measure(messageFlood, messages / 3, counted);
    long before = readingNanos();
    double rate = FloodRate.measure(messageFlood, messages, counted);
    return new Result(rate, (readingNanos() - before) / (double) messages);
  }

  /** The CPU time of Lettuce's I/O threads: those of the tap, or of the bare subscriber. */
  private static long readingNanos() {
    long nanos = 0;
    for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().startsWith("lettuce-")) {
        nanos += Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
      }
    }
    return nanos;
  }
}
