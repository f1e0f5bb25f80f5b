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
 * A task that this process holds: one attempt, from when it is claimed until its requester has been
 * notified of its end.
 *
 * <pre>
 * WORKING --end--> ENDED --stored--> STORED --answered--> no longer held
 *    |               |                  |
 *    +---------------+------------------+--lose--> LOST
 * </pre>
 *
 * <ul>
 *   <li>WORKING: claimed. A thread adds text; the outbox stores it in steps, then publishes them.
 *   <li>ENDED: it has an outcome, which isn't stored yet.
 *   <li>STORED: the outcome is stored. Frames or the notification may be missing on the bus.
 *   <li>LOST: another attempt holds it, or will. Nothing more is stored.
 * </ul>
 *
 * <p>If the process is killed, the next holder repeats what was WORKING or ENDED, and publishes
 * what was STORED, with the same message ids. Guarded by itself.
 */
public final class HeldTask {
  /** The sequence number of the notification, after all frames. */
  static final int NOTIFICATION = Integer.MAX_VALUE - 1;

  private static final int NOTHING = Integer.MAX_VALUE;

  /** Doublings of the pause between resends. */
  private static final int MAX_DOUBLINGS = 8;

  /** More failures in a row than a short outage of Redis causes. */
  private static final int WARN_AFTER_FAILURES = 3;

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
  private final Consumer<HeldTask> onChange;
  private State state = State.WORKING;
  private @Nullable Outcome outcome;
  private @Nullable Thread thread;

  private final StringBuilder text = new StringBuilder();

  /** Text that isn't in a frame yet; of {@code model}, if there are several. */
  private final StringBuilder fresh = new StringBuilder();

  private final List<Frame> unstored = new ArrayList<>();
  private @Nullable String model;
  private int nextSequence;

  /** Sent messages without a result. */
  private int unanswered;

  /** The sequence number of the first stored message that the bus doesn't have. */
  private int missing = NOTHING;

  /** The failed sends in a row, the last one at {@code triedAt}. */
  private int failures;

  private boolean fails;
  private long triedAt;

  /** The next step to store; only the last has an outcome, and perhaps a result. */
  record Step(
      HeldTask held,
      List<Frame> frames,
      @Nullable Outcome outcome,
      @Nullable ObjectNode result,
      long characters) {}

  /** A claimed task; attempts count from 1, and {@code begun} is in nanoseconds awake. */
  HeldTask(Task task, int attempt, long begun, Consumer<HeldTask> onChange) {
    this.task = task;
    this.attempt = attempt;
    this.begun = begun;
    this.onChange = onChange;
    if (attempt > 1) {
      // An empty frame voids the frames of earlier attempts.
      unstored.add(new Frame(nextSequence++, null, "", false));
    }
  }

  /** A task whose end is stored, and of which perhaps nothing was sent. */
  static HeldTask ofStored(Task task) {
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

  /** Adds text to the stream and to the result. */
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
      Thread.currentThread().interrupt(); // stops the model
    } else if (task.kind() == Task.Kind.WORK) { // the answer to a question is one frame, at its end
      onChange.accept(this);
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
    onChange.accept(this);
  }

  /** Marks the task as held by another attempt, now or soon. */
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

  /** Runs the work on this thread. */
  void run(Tasks.Work work, FailureText failures) {
    boolean begins = setThread(Thread.currentThread());
    if (attempt > 1) {
      onChange.accept(this);
    }
    try {
      if (begins) {
        end(work.run(this));
      }
    } catch (NotAnsweredException.Suspended e) {
      end(new Outcome.Interrupted());
    } catch (Throwable e) {
      end(failures.of(e));
    } finally {
      setThread(null);
    }
  }

  private synchronized boolean setThread(@Nullable Thread working) {
    thread = working;
    return state == State.WORKING;
  }

  /** The next step to store, or null; only for the outbox. */
  synchronized @Nullable Step step() {
    boolean isOver = state == State.STORED || state == State.LOST;
    if (isOver || (fresh.isEmpty() && unstored.isEmpty() && outcome == null)) {
      return null;
    }
    cut(outcome != null);
    boolean isLast = outcome != null && !(outcome instanceof Outcome.Interrupted);
    if (isLast && (unstored.isEmpty() || !unstored.getLast().last())) {
      Frame end =
          unstored.isEmpty() ? new Frame(nextSequence++, null, "", false) : unstored.removeLast();
      unstored.add(new Frame(end.sequence(), end.model(), end.token(), true));
    }
    return new Step(this, List.copyOf(unstored), outcome, result(), text.length());
  }

  /** Makes frames of fresh text, except for an unpaired surrogate at its end. */
  private void cut(boolean isWhole) {
    boolean waits =
        !isWhole && !fresh.isEmpty() && Character.isHighSurrogate(fresh.charAt(fresh.length() - 1));
    int end = waits ? fresh.length() - 1 : fresh.length();
    int from = 0;
    while (from < end) {
      String rest = fresh.substring(from, Math.min(end, from + MAX_FRAME + 1));
      String token = UnicodeText.truncate(rest, MAX_FRAME);
      unstored.add(new Frame(nextSequence++, model, UnicodeText.repaired(token), false));
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

  /** The step is stored, and about to be published; {@link #answered} ends that. */
  synchronized void stored(Step step) {
    unstored.subList(0, step.frames().size()).clear(); // there may be newer frames
    unanswered++;
    if (step.outcome() != null) {
      state = step.outcome() instanceof Outcome.Interrupted ? State.LOST : State.STORED;
      text.setLength(0); // frees memory: publishing may take long
      text.trimToSize();
    }
  }

  /** Begins to resend, and returns the first sequence number; {@link #answered} ends that. */
  synchronized int beginResend() {
    int from = missing;
    missing = NOTHING;
    unanswered++;
    return from;
  }

  /** Begins to send a message, unless one before it is missing: then it is resent in order. */
  synchronized boolean beginSend(int sequence) {
    boolean isNext = missing >= sequence;
    unanswered += isNext ? 1 : 0;
    return isNext;
  }

  /** Marks a message as missing; true if that is worth a warning, which happens once. */
  synchronized boolean missed(int sequence) {
    missing = Math.min(missing, sequence);
    boolean isWorthWarning = !fails && failures + 1 == WARN_AFTER_FAILURES;
    fails = true;
    return isWorthWarning;
  }

  /** A begun send has ended; true if the bus has everything. */
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

  /** Whether a resend is due. The pause doubles with each failure in a row. */
  synchronized boolean needsResend(long now, long pause) {
    return missing != NOTHING
        && unanswered == 0
        && (failures == 0 || now - triedAt >= pause << Math.min(failures - 1, MAX_DOUBLINGS));
  }

  /** Whether its end is being stored or published. */
  synchronized boolean isEnding() {
    return state == State.ENDED
        || (state == State.STORED && (unanswered > 0 || missing == NOTHING));
  }
}
