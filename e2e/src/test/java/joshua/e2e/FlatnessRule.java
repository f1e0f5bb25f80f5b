package joshua.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The limit on what a group may hold after an attack, relative to before: a fifth more, and a
 * little.
 */
final class FlatnessRule {
  private static final double PART = 1.2;
  private static final int HEAP_MEBIBYTES = 16;

  /** Pools of three listeners shrink by a thread a minute. */
  private static final int THREADS = 40;

  private static final int FILES = 30;
  private static final int REDIS_MEBIBYTES = 16;

  private FlatnessRule() {}

  /**
   * One sentence for each value that grew beyond the limit; {@code redis} is the name of the Redis
   * process.
   */
  static List<String> grown(
      Map<String, ProcessReading> before, Map<String, ProcessReading> after, String redis) {
    List<String> grown = new ArrayList<>();
    before.forEach((name, was) -> {
      ProcessReading now = after.get(name);
      if (now == null) {
        grown.add(name + " is gone.");
      } else if (name.equals(redis)) {
        compare(
            grown,
            name,
            "MiB resident",
            was.residentMebibytes(),
            now.residentMebibytes(),
            REDIS_MEBIBYTES);
        compare(grown, name, "files", was.files(), now.files(), FILES);
      } else {
        compare(
            grown, name, "MiB reachable", was.heapMebibytes(), now.heapMebibytes(), HEAP_MEBIBYTES);
        compare(grown, name, "threads", was.threads(), now.threads(), THREADS);
        compare(grown, name, "virtual threads", was.virtualThreads(), now.virtualThreads(), FILES);
        compare(grown, name, "files", was.files(), now.files(), FILES);
      }
    });
    return grown;
  }

  private static void compare(
      List<String> grown, String name, String what, long was, long now, long constant) {
    long most = (long) (was * PART) + constant;
    if (now > most) {
      grown.add(
          "%s has %d %s after the rest, had %d before, may have %d."
              .formatted(name, now, what, was, most));
    }
  }
}
