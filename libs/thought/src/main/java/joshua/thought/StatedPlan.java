package joshua.thought;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A plan as a model stated it: its steps, in order (REQ-ADD-01).
 *
 * @param leftOut the number of steps beyond {@link #MAX_STEPS}
 */
record StatedPlan(List<String> steps, int leftOut) {
  static final int MAX_STEPS = 8;

  private static final Pattern ASKS =
      Pattern.compile(
          "\\b(?:step[ -]by[ -]step|one step at a time|in (?:separate |single )?steps|sequential(?:ly)? think\\w*"
              + "|think (?:it |this )?(?:through )?sequentially"
              + "|(?:make|write|give|draw up|draft|create|propose|state|outline|prepare|sketch|suggest|work out|need|want)\\b[^.?!]{0,60}\\bplan)\\b"
              + "|^\\s*(?:please\\s+)?plan\\b(?!\\s+(?:is|was|has))",
          Pattern.CASE_INSENSITIVE);

  /** Matches in linear time, whatever a model writes. */
  private static final Pattern STEP =
      Pattern.compile(
          "^\\s*+(?:\\*\\*)?+(?:step\\s++)?+\\d{1,2}+\\s*+[.):]\\s*+(\\S.*+)$",
          Pattern.CASE_INSENSITIVE);

  static final String REQUEST =
      """
      First state the plan, and nothing else yet: a numbered list, one line a step, in order, at most %d steps. \
      You will be asked to carry the steps out one after the other.\
      """
          .formatted(MAX_STEPS);

  StatedPlan {
    steps = List.copyOf(steps);
  }

  /** Whether a prompt asks for a plan, or for thinking in steps. */
  static boolean isAskedForBy(String prompt) {
    return ASKS.matcher(prompt).find();
  }

  /** The numbered lines of a text. */
  static StatedPlan in(String text) {
    List<String> all =
        text.lines()
            .map(STEP::matcher)
            .filter(java.util.regex.Matcher::matches)
            .map(step -> step.group(1).strip())
            .toList();
    return new StatedPlan(
        all.subList(0, Math.min(all.size(), MAX_STEPS)), Math.max(0, all.size() - MAX_STEPS));
  }

  /** The model's instruction for a step. */
  String request(int index) {
    return "Now carry out step %d of %d: %s%nWrite what this step yields, and nothing of the others."
        .formatted(index + 1, steps.size(), steps.get(index));
  }
}
