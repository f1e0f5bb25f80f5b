package joshua.tasks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import joshua.kernel.Json;
import joshua.kernel.UnicodeText;
import joshua.tasks.model.Frame;
import joshua.tasks.model.Outcome;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskKind;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a task, by this process: takes its text and its end, and gives them to be stored
 * and published. Guarded by {@code lock}.
 */
public final class Attempt {
  /** The most text of a task. */
  private static final int LONGEST_TEXT = 1_000_000;

  /** The most text of a frame, which must fit into an envelope. */
  private static final int LONGEST_FRAME = 16 * 1024;

  private final Task task;
  private final int number;
  private final Consumer<Attempt> hasNews;
  private final ReentrantLock lock = new ReentrantLock();
  private final StringBuilder text = new StringBuilder();
  private final List<Piece> fresh = new ArrayList<>();
  private final List<Frame> unkept = new ArrayList<>();
  private int nextSequence;
  private @Nullable Outcome outcome;
  private boolean over;
  private @Nullable Thread thread;

  /** Text of one model, or of the service, which isn't in a frame yet. */
  private record Piece(@Nullable String model, StringBuilder text) {}

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
    if (more.isEmpty()) {
      return;
    }
    lock.lock();
    try {
      if (over || outcome != null) {
        return;
      }
      if (text.length() + more.length() > LONGEST_TEXT) {
        outcome =
            new Outcome.Failed(
                "The answer has more than %d characters, which is the most."
                    .formatted(LONGEST_TEXT),
                "");
        Thread.currentThread().interrupt(); // nothing more is wanted of the model
      } else {
        String storable = more.replace('\0', '\uFFFD');
        text.append(storable);
        if (fresh.isEmpty() || !Objects.equals(fresh.getLast().model(), model)) {
          fresh.add(new Piece(model, new StringBuilder()));
        }
        fresh.getLast().text().append(storable);
      }
    } finally {
      lock.unlock();
    }
    if (task.kind() == TaskKind.WORK) { // the answer to a question is one frame, with its end
      hasNews.accept(this);
    }
  }

  /** Ends it, if it hasn't ended yet, and interrupts the work. */
  void end(Outcome end) {
    lock.lock();
    try {
      if (over || outcome != null) {
        return;
      }
      outcome = end;
      interruptOthers();
    } finally {
      lock.unlock();
    }
    hasNews.accept(this);
  }

  /** Ends it without a word: another process has the task now. */
  void abandon() {
    lock.lock();
    try {
      over = true;
      interruptOthers();
    } finally {
      lock.unlock();
    }
  }

  /** Ends it without a word, unless it has ended already: the task is given back. */
  void stop() {
    lock.lock();
    try {
      over |= outcome == null;
      interruptOthers();
    } finally {
      lock.unlock();
    }
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
    } catch (Throwable e) {
      end(failures.of(e));
    } finally {
      thread(null);
    }
  }

  private boolean isOpen() {
    lock.lock();
    try {
      return !over && outcome == null;
    } finally {
      lock.unlock();
    }
  }

  private void thread(@Nullable Thread working) {
    lock.lock();
    try {
      thread = working;
    } finally {
      lock.unlock();
    }
  }

  /** What is to be stored, if there is anything; the outbox alone asks. */
  @Nullable Step step() {
    lock.lock();
    try {
      if (over || (fresh.isEmpty() && unkept.isEmpty() && outcome == null)) {
        return null;
      }
      fresh.forEach(this::cut);
      fresh.removeIf(piece -> piece.text().isEmpty());
      boolean isLast = outcome != null && !(outcome instanceof Outcome.Interrupted);
      if (isLast && (unkept.isEmpty() || !unkept.getLast().last())) {
        Frame end =
            unkept.isEmpty() ? new Frame(nextSequence++, null, "", false) : unkept.removeLast();
        unkept.add(new Frame(end.sequence(), end.model(), end.token(), true));
      }
      return new Step(this, List.copyOf(unkept), outcome, result(), text.length());
    } finally {
      lock.unlock();
    }
  }

  /** Makes frames of a piece, but for half of a surrogate pair at its end. */
  private void cut(Piece piece) {
    StringBuilder rest = piece.text();
    while (!rest.isEmpty()) {
      int to = Math.min(rest.length(), LONGEST_FRAME);
      boolean half = Character.isHighSurrogate(rest.charAt(to - 1));
      if (half && (to < rest.length() || outcome == null)) {
        to--;
      }
      if (to == 0) {
        return;
      }
      unkept.add(
          new Frame(
              nextSequence++, piece.model(), UnicodeText.repaired(rest.substring(0, to)), false));
      rest.delete(0, to);
    }
  }

  /** The last step is stored. */
  void kept(Step step) {
    lock.lock();
    try {
      unkept.clear();
      over |= step.outcome() != null;
    } finally {
      lock.unlock();
    }
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
