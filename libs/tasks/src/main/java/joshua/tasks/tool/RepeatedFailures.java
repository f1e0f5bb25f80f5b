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
 * The detector of repeated failures: the latest tasks failed alike, and none has succeeded since.
 * Only exceptions count that aren't reported as a problem already: no cancelled tasks, timeouts or
 * refused prompts. Guarded by itself.
 */
final class RepeatedFailures {
  private static final int MAX_LATEST = 10;
  private static final int MIN_ALIKE = 3;

  /** The parts in which similar failures differ: quotes, and words with digits. */
  private static final Pattern PARTICULARS = Pattern.compile("\"[^\"]*\"|\\S*\\d\\S*");

  /** The kinds of the latest failures; empty for a success. */
  private final Deque<String> latest = new ArrayDeque<>();

  private final Map<String, Problem> problems = new LinkedHashMap<>();

  /** Adds the outcome of a task; {@code known} are the problems reported already. */
  synchronized void ended(Outcome outcome, List<Problem> known, Instant at) {
    if (outcome instanceof Outcome.Completed) {
      add("");
      problems.clear();
    } else if (outcome instanceof Outcome.Failed(var message, var stackTrace)
        && !stackTrace.isEmpty()
        && !isKnown(message, known)) {
      String kind = kind(message);
      add(kind);
      problems.keySet().removeIf(each -> Collections.frequency(latest, each) < MIN_ALIKE);
      if (Collections.frequency(latest, kind) >= MIN_ALIKE) {
        String detail =
            "Of the last %d tasks %d or more failed alike: %s"
                .formatted(MAX_LATEST, MIN_ALIKE, message);
        problems.putIfAbsent(kind, new Problem("tasks_fail", at, detail));
      }
    }
  }

  private void add(String kind) {
    latest.addLast(kind);
    if (latest.size() > MAX_LATEST) {
      latest.removeFirst();
    }
  }

  private static String kind(String message) {
    return PARTICULARS.matcher(message).replaceAll("");
  }

  /** Several models may have failed, with a line each. */
  private static boolean isKnown(String message, List<Problem> known) {
    List<String> kinds = known.stream().map(each -> kind(each.detail())).toList();
    return kind(message).lines().allMatch(kinds::contains);
  }

  synchronized List<Problem> problems() {
    return List.copyOf(problems.values());
  }
}
