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
import joshua.thought.model.NotAnsweredException;
import org.jspecify.annotations.Nullable;

/**
 * A task that this process holds: one attempt at it, from when it is taken until its requester has
 * been told of its end.
 *
 * <pre>
 * WORKING --end--> ENDED --kept--> STORED --answered--> told, and held no more
 *    |               |                |
 *    +---------------+----------------+--lose--> LOST
 * </pre>
 *
 * <ul>
 *   <li>WORKING: taken. A thread adds text; the outbox stores it in steps, then publishes them.
 *   <li>ENDED: it has an outcome, which the database doesn't have yet.
 *   <li>STORED: so is the outcome. The bus may not have all frames and the notification yet.
 *   <li>LOST: another attempt has it, or will. Nothing of it is stored any more.
 * </ul>
 *
 * <p>If the process is killed, the next holder begins anew what was WORKING or ENDED, and tells
 * what was STORED, with the same message ids. Guarded by itself.
 */
public final class HeldTask {
  /** Comes after all frames. */
  static final int NOTIFICATION = Integer.MAX_VALUE - 1;

  private static final int NOTHING = Integer.MAX_VALUE;

  /** So often the pause before it is sent again doubles. */
  private static final int MAX_DOUBLINGS = 8;

  /** What fails more often in a row than Redis is away for a moment. */
  private static final int LOGGED_FAILURE = 3;

  private static final int MAX_TEXT = 1_000_000;

  /** Characters of a frame, which must fit into an envelope. */
  private static final int MAX_FRAME = 16 * 1024;

  private enum State {
    WORKING,
    ENDED,
    STORED,
    LOST
  }

  private final Task task;
  private final int attempt;
  private final long begun;
  private final Consumer<HeldTask> hasNews;
  private State state = State.WORKING;
  private @Nullable Outcome outcome;
  private @Nullable Thread thread;

  private final StringBuilder text = new StringBuilder();

  /** What isn't in a frame yet; of {@code model}, if several write. */
  private final StringBuilder fresh = new StringBuilder();

  private final List<Frame> unkept = new ArrayList<>();
  private @Nullable String model;
  private int nextSequence;

  /** Messages of which Redis hasn't said yet whether it takes them. */
  private int unanswered;

  /** The first of what is stored that the bus doesn't have. */
  private int missing = NOTHING;

  /** How often in a row the bus didn't take all that was sent, the last time at {@code triedAt}. */
  private int failures;

  private boolean fails;
  private long triedAt;

  /** What is to be stored next; there is an outcome at the end alone, then perhaps a result. */
  record Step(
      HeldTask held,
      List<Frame> frames,
      @Nullable Outcome outcome,
      @Nullable ObjectNode result,
      long characters) {}

  /** A task that is taken for an attempt, from 1, which begins at a point of time awake. */
  HeldTask(Task task, int attempt, long begun, Consumer<HeldTask> hasNews) {
    this.task = task;
    this.attempt = attempt;
    this.begun = begun;
    this.hasNews = hasNews;
    if (attempt > 1) {
      // An empty frame tells that what came of earlier attempts is void.
      unkept.add(new Frame(nextSequence++, null, "", false));
    }
  }

  /** One whose end is stored, and of which nothing is known to have been sent. */
  static HeldTask stored(Task task) {
    HeldTask held = new HeldTask(task, task.attempts(), 0, any -> {});
    held.state = State.STORED;
    held.missing = 0;
    return held;
  }

  public Task task() {
    return task;
  }

  int attempt() {
    return attempt;
  }

  long begun() {
    return begun;
  }

  /** Adds text to what is streamed; it is the task's result in the end. */
  public void text(String more) {
    text(null, more);
  }

  /** Adds text of one of several models. */
  public void text(@Nullable String by, String more) {
    boolean fits;
    synchronized (this) {
      if (state != State.WORKING || more.isEmpty()) {
        return;
      }
      fits = text.length() + more.length() <= MAX_TEXT;
      if (fits) {
        if (!Objects.equals(by, model)) {
          cut(true);
          model = by;
        }
        String clean = more.replace('\0', '\uFFFD');
        text.append(clean);
        fresh.append(clean);
      }
    }
    if (!fits) {
      end(
          new Outcome.Failed(
              "The answer has more than %d characters, which is the most.".formatted(MAX_TEXT)));
      Thread.currentThread().interrupt(); // nothing more is wanted of the model
    } else if (task.kind() == Task.Kind.WORK) { // the answer to a question is one frame, at its end
      hasNews.accept(this);
    }
  }

  /** Ends it, if it hasn't ended yet, and interrupts the work. */
  void end(Outcome end) {
    synchronized (this) {
      if (state != State.WORKING) {
        return;
      }
      outcome = end;
      enter(State.ENDED);
    }
    hasNews.accept(this);
  }

  /** Another attempt has the task now, or will. */
  synchronized void lose() {
    enter(State.LOST);
  }

  /** Gives the task back, unless it has ended already. */
  synchronized void stop() {
    enter(state == State.WORKING ? State.LOST : state);
  }

  private void enter(State next) {
    state = next;
    if (thread != null && !thread.equals(Thread.currentThread())) {
      thread.interrupt();
    }
  }

  /** Does the work on this thread. */
  void run(Tasks.Work work, FailureText failures) {
    boolean begins = works(Thread.currentThread());
    if (attempt > 1) {
      hasNews.accept(this);
    }
    try {
      if (begins) {
        end(work.run(this));
      }
    } catch (NotAnsweredException.Slept e) {
      end(new Outcome.Interrupted());
    } catch (Throwable e) {
      end(failures.of(e));
    } finally {
      works(null);
    }
  }

  private synchronized boolean works(@Nullable Thread working) {
    thread = working;
    return state == State.WORKING;
  }

  /** What is to be stored, if there is anything; the outbox alone asks. */
  synchronized @Nullable Step step() {
    boolean isOver = state == State.STORED || state == State.LOST;
    if (isOver || (fresh.isEmpty() && unkept.isEmpty() && outcome == null)) {
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
      String rest = fresh.substring(from, Math.min(end, from + MAX_FRAME + 1));
      String token = UnicodeText.truncate(rest, MAX_FRAME);
      unkept.add(new Frame(nextSequence++, model, UnicodeText.repaired(token), false));
      from += token.length();
    }
    fresh.delete(0, end);
  }

  private @Nullable ObjectNode result() {
    if (outcome instanceof Outcome.Completed completed) {
      ObjectNode result = Json.object().put("text", UnicodeText.repaired(text.toString()));
      result.setAll(completed.members());
      return result;
    }
    return null;
  }

  /** The last step is stored, and about to be published; {@link #answered} says that it is. */
  synchronized void kept(Step step) {
    unkept.subList(0, step.frames().size()).clear(); // text that came meanwhile may have made more
    unanswered++;
    if (step.outcome() != null) {
      state = step.outcome() instanceof Outcome.Interrupted ? State.LOST : State.STORED;
      text.setLength(0); // it may be long until the bus takes the end
      text.trimToSize();
    }
  }

  /** Begins to send again what is missing, and says from where; {@link #answered} ends that. */
  synchronized int again() {
    int from = missing;
    missing = NOTHING;
    unanswered++;
    return from;
  }

  /** Whether something can be sent now; else it is sent again after what is missing before it. */
  synchronized boolean sending(int sequence) {
    boolean isNext = missing >= sequence;
    unanswered += isNext ? 1 : 0;
    return isNext;
  }

  /** The bus doesn't have what bears this number; says whether that is worth a warning: once. */
  synchronized boolean missed(int sequence) {
    missing = Math.min(missing, sequence);
    boolean isTold = !fails && failures + 1 == LOGGED_FAILURE;
    fails = true;
    return isTold;
  }

  /** What was to be sent has been answered; says whether all is told. */
  synchronized boolean answered(long now) {
    unanswered--;
    if (unanswered == 0 && fails) {
      failures++;
      fails = false;
      triedAt = now;
    } else if (unanswered == 0 && missing == NOTHING) {
      failures = 0;
    }
    return state == State.STORED && unanswered == 0 && missing == NOTHING;
  }

  /** Whether something must be sent again by now. The pause doubles with each failure in a row. */
  synchronized boolean isStuck(long now, long pause) {
    return missing != NOTHING
        && unanswered == 0
        && (failures == 0 || now - triedAt >= pause << Math.min(failures - 1, MAX_DOUBLINGS));
  }

  /** Whether its end is being stored or told, as far as the bus takes it. */
  synchronized boolean isEnding() {
    return state == State.ENDED
        || (state == State.STORED && (unanswered > 0 || missing == NOTHING));
  }
}
