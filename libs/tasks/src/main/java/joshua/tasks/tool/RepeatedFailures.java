package joshua.tasks.tool;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import joshua.tasks.model.Outcome;
import joshua.thought.model.Problem;

/**
 * Whether the latest tasks failed alike, until one succeeds. What was cancelled, took too long or
 * couldn't be answered as asked doesn't count: nothing was thrown there. Nor does what is told as a
 * problem already. Guarded by itself.
 */
final class RepeatedFailures {
  private static final int LATEST = 10;
  private static final int ALIKE = 3;

  /** What differs between failures that are alike: quotes, and words with digits. */
  private static final Pattern PARTICULARS = Pattern.compile("\"[^\"]*\"|\\S*\\d\\S*");

  /** What failures have in common; empty for a success. */
  private final Deque<String> latest = new ArrayDeque<>();

  private final Map<String, Problem> problems = new LinkedHashMap<>();

  /** A task has ended that this service worked on; the known problems are told already. */
  synchronized void ended(Outcome outcome, List<Problem> known, Instant at) {
    if (outcome instanceof Outcome.Completed) {
      add("");
      problems.clear();
    } else if (outcome instanceof Outcome.Failed(var message, var stackTrace)
        && !stackTrace.isEmpty()
        && !isKnown(message, known)) {
      String kind = kind(message);
      add(kind);
      problems.keySet().removeIf(each -> Collections.frequency(latest, each) < ALIKE);
      if (Collections.frequency(latest, kind) >= ALIKE) {
        String detail =
            "Of the last %d tasks %d or more failed alike: %s".formatted(LATEST, ALIKE, message);
        problems.putIfAbsent(kind, new Problem("tasks_fail", at, detail));
      }
    }
  }

  private void add(String kind) {
    latest.addLast(kind);
    if (latest.size() > LATEST) {
      latest.removeFirst();
    }
  }

  private static String kind(String message) {
    return PARTICULARS.matcher(message).replaceAll("");
  }

  /** Several models may have failed, a line for each. */
  private static boolean isKnown(String message, List<Problem> known) {
    List<String> kinds = known.stream().map(each -> kind(each.detail())).toList();
    return kind(message).lines().allMatch(kinds::contains);
  }

  synchronized List<Problem> problems() {
    return List.copyOf(problems.values());
  }
}
