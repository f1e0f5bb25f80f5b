package joshua.fiedler;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import joshua.thought.OfflineMode;
import joshua.thought.PromptReader;
import joshua.thought.PromptReading;
import joshua.thought.UserPrompt;

/**
 * A reader in front of a language model: it keeps what is clearly about tasks, and passes
 * everything else on, so that the model gets its work. Within a conversation in which the model has
 * taken part it keeps even less: there "continue" and "cancel the last one" refer to what was said.
 * The filter doesn't apply to a prompt that is to be answered without a model.
 *
 * @param alone what a prompt that begins a conversation has to be about
 * @param within what a later prompt has to be about
 * @param conversing whether the model has answered earlier in the prompt's conversation
 */
record InterceptionFilter(
    PromptReader reader, Subject alone, Subject within, Predicate<UserPrompt> conversing)
    implements PromptReader {

  /** What a prompt is about, the vaguest first. */
  enum Subject {
    ANYTHING,
    TASKS,
    ONE_TASK
  }

  /**
   * A longer request is work that mentions tasks, and what looks like a task id in it may be
   * anything.
   */
  private static final int FEW_WORDS = 8;

  private static final Set<String> TASK_WORDS = Set.of("task", "tasks", "task's", "fiedler");

  /** What can be done to tasks. */
  private static final Set<String> TASK_VERBS =
      Set.of(
          "abort",
          "cancel",
          "delete",
          "drop",
          "end",
          "kill",
          "remove",
          "repeat",
          "rerun",
          "restart",
          "resubmit",
          "retry",
          "stop",
          "terminate");

  /** An id or the beginning of one; digits alone may be any number. */
  private static final Pattern TASK_ID =
      Pattern.compile(
          "(?<![\\p{L}\\p{N}_-])(?=[a-f-]*[0-9])(?=[0-9-]*[a-f])"
              + "[0-9a-f]{8}[0-9a-f-]{0,28}(?![\\p{L}\\p{N}_-])");

  private static final Pattern BETWEEN_WORDS = Pattern.compile("[^\\p{L}\\p{N}'_-]+");

  /** Commands: an exact one is clear, but in a conversation a single word may be anything. */
  static InterceptionFilter ofCommands(
      PromptReader promptReader, Predicate<UserPrompt> conversing) {
    return new InterceptionFilter(promptReader, Subject.ANYTHING, Subject.TASKS, conversing);
  }

  /** The filter of plain words. */
  static InterceptionFilter ofPlainWords(
      PromptReader promptReader, Predicate<UserPrompt> conversing) {
    return new InterceptionFilter(promptReader, Subject.TASKS, Subject.ONE_TASK, conversing);
  }

  @Override
  public PromptReading read(UserPrompt userPrompt) throws InterruptedException {
    if (userPrompt.offline() == OfflineMode.ONLY) {
      return reader.read(userPrompt);
    }
    String text = userPrompt.text().strip().toLowerCase(Locale.ROOT);
    List<String> words = List.of(BETWEEN_WORDS.split(text));
    Subject subject = subject(text, words);
    if (subject.compareTo(alone) < 0) {
      return new PromptReading.PassedOn();
    }
    PromptReading promptReading = reader.read(userPrompt);
    if (promptReading instanceof PromptReading.PassedOn
        || (promptReading instanceof PromptReading.Declined && !isWishForTasks(words))
        || (subject.compareTo(within) < 0 && conversing.test(userPrompt))) {
      return new PromptReading.PassedOn();
    }
    return promptReading;
  }

  private static Subject subject(String text, List<String> words) {
    boolean tasks = words.stream().anyMatch(TASK_WORDS::contains);
    if ((tasks || words.size() <= FEW_WORDS) && TASK_ID.matcher(text).find()) {
      return Subject.ONE_TASK;
    }
    return tasks ? Subject.TASKS : Subject.ANYTHING;
  }

  /** Whether something is to be done to tasks, rather than work that mentions them. */
  private static boolean isWishForTasks(List<String> words) {
    return words.size() <= FEW_WORDS && words.stream().anyMatch(TASK_VERBS::contains);
  }
}
