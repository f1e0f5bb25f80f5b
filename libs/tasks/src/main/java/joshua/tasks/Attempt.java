package joshua.tasks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import joshua.kernel.Json;
import joshua.kernel.UnicodeText;
import joshua.tasks.model.Frame;
import joshua.tasks.model.Outcome;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskKind;
import joshua.thought.model.SleptException;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a task, by this process: takes its text and its end, and gives them to be stored
 * and published. Guarded by itself.
 */
public final class Attempt {
  /** The most text of a task. */
  private static final int LONGEST_TEXT = 1_000_000;

  /** The most text of a frame, which must fit into an envelope. */
  private static final int LONGEST_FRAME = 16 * 1024;

  private final Task task;
  private final int number;
  private final Consumer<Attempt> hasNews;
  private final StringBuilder text = new StringBuilder();

  /** What isn't in a frame yet; of {@code model}, if several write. */
  private final StringBuilder fresh = new StringBuilder();

  private final List<Frame> unkept = new ArrayList<>();
  private @Nullable String model;
  private int nextSequence;
  private @Nullable Outcome outcome;
  private boolean over;
  private @Nullable Thread thread;

  /**
   * What is to be stored next.
   *
   * @param outcome null while it goes on
   * @param result of a completed task
   * @param characters all text so far
   */
  record Step(
      Attempt attempt,
      List<Frame> frames,
      @Nullable Outcome outcome,
      @Nullable ObjectNode result,
      long characters) {}

  Attempt(Task task, int number, Consumer<Attempt> hasNews) {
    this.task = task;
    this.number = number;
    this.hasNews = hasNews;
    if (number > 1) {
      // An empty frame tells that what came of earlier attempts is void.
      unkept.add(new Frame(nextSequence++, null, "", false));
    }
  }

  public Task task() {
    return task;
  }

  /** Which attempt at the task this is, from 1. */
  public int number() {
    return number;
  }

  /** Adds text to what is streamed; it is the task's result in the end. */
  public void text(String more) {
    text(null, more);
  }

  /** Adds text of one of several models. */
  public void text(@Nullable String model, String more) {
    boolean fits;
    synchronized (this) {
      if (!isOpen() || more.isEmpty()) {
        return;
      }
      fits = text.length() + more.length() <= LONGEST_TEXT;
      if (fits) {
        add(model, more.replace('\0', '\uFFFD'));
      }
    }
    if (!fits) {
      end(
          new Outcome.Failed(
              "The answer has more than %d characters, which is the most."
                  .formatted(LONGEST_TEXT)));
      Thread.currentThread().interrupt(); // nothing more is wanted of the model
    } else if (task.kind() == TaskKind.WORK) { // the answer to a question is one frame, at its end
      hasNews.accept(this);
    }
  }

  private void add(@Nullable String by, String more) {
    if (!Objects.equals(by, model)) {
      cut(true);
      model = by;
    }
    text.append(more);
    fresh.append(more);
  }

  /** Ends it, if it hasn't ended yet, and interrupts the work. */
  void end(Outcome end) {
    synchronized (this) {
      if (!isOpen()) {
        return;
      }
      outcome = end;
      interruptOthers();
    }
    hasNews.accept(this);
  }

  /** Ends it without a word: another process has the task now. */
  synchronized void abandon() {
    over = true;
    interruptOthers();
  }

  /** Ends it without a word, unless it has ended already: the task is given back. */
  synchronized void stop() {
    over |= outcome == null;
    interruptOthers();
  }

  private void interruptOthers() {
    if (thread != null && !thread.equals(Thread.currentThread())) {
      thread.interrupt();
    }
  }

  /** Does the work on this thread. */
  void run(Work work, FailureText failures) {
    thread(Thread.currentThread());
    if (number > 1) {
      hasNews.accept(this);
    }
    try {
      if (isOpen()) {
        end(work.run(this));
      }
    } catch (SleptException e) {
      end(new Outcome.Interrupted());
    } catch (Throwable e) {
      end(failures.of(e));
    } finally {
      thread(null);
    }
  }

  private synchronized boolean isOpen() {
    return !over && outcome == null;
  }

  private synchronized void thread(@Nullable Thread working) {
    thread = working;
  }

  /** What is to be stored, if there is anything; the outbox alone asks. */
  synchronized @Nullable Step step() {
    if (over || (fresh.isEmpty() && unkept.isEmpty() && outcome == null)) {
      return null;
    }
    cut(outcome != null);
    boolean isLast = outcome != null && !(outcome instanceof Outcome.Interrupted);
    if (isLast && (unkept.isEmpty() || !unkept.getLast().last())) {
      Frame end =
          unkept.isEmpty() ? new Frame(nextSequence++, null, "", false) : unkept.removeLast();
      unkept.add(new Frame(end.sequence(), end.model(), end.token(), true));
    }
    return new Step(this, List.copyOf(unkept), outcome, result(), text.length());
  }

  /** Makes frames of fresh text; half a character at its end waits for the other half. */
  private void cut(boolean isWhole) {
    boolean waits =
        !isWhole && !fresh.isEmpty() && Character.isHighSurrogate(fresh.charAt(fresh.length() - 1));
    int end = waits ? fresh.length() - 1 : fresh.length();
    int from = 0;
    while (from < end) {
      String rest = fresh.substring(from, Math.min(end, from + LONGEST_FRAME + 1));
      String token = UnicodeText.beginning(rest, LONGEST_FRAME);
      unkept.add(new Frame(nextSequence++, model, UnicodeText.repaired(token), false));
      from += token.length();
    }
    fresh.delete(0, end);
  }

  /** The last step is stored. */
  synchronized void kept(Step step) {
    unkept.clear();
    over |= step.outcome() != null;
  }

  private @Nullable ObjectNode result() {
    if (outcome instanceof Outcome.Completed completed) {
      ObjectNode result = Json.object().put("text", UnicodeText.repaired(text.toString()));
      result.setAll(completed.members());
      return result;
    }
    return null;
  }
}
