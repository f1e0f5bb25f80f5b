package joshua.tasks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.conversation.Correlation;
import joshua.kernel.Json;
import joshua.kernel.LogMarkers;
import joshua.kernel.ProcessWatchdog;
import joshua.state.StoreUnavailable;
import joshua.thought.ThoughtFailed;
import joshua.thought.ThoughtRefusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * One attempt at one task, in this process: a thread that does the work, one that keeps what it
 * says and how it ends, one that publishes it. Work that doesn't heed its interruption holds its
 * place, but not the task's end.
 */
final class TaskRun implements StreamPublisher.Afterwards {
  private static final Duration TRY_AGAIN = Duration.ofMillis(500);
  private static final int ROOM_FOR_AN_ENVELOPE = 3;
  private static final Logger log = LoggerFactory.getLogger(TaskRun.class);

  private final Workshop shop;
  private final Held held;
  private final Task task;
  private final TaskWork work;
  private final long begun;
  private final Speech speech;
  private final StreamPublisher publisher;
  private final Thread worker;
  private final Thread keeper;
  private final AtomicInteger atWork = new AtomicInteger(2);
  private volatile TaskKind kind = TaskKind.WORK;

  /** What the work says goes to who keeps it; what the task is stands in the database at once. */
  private final class WorkTokens implements Tokens {
    @Override
    public void token(String text) {
      speech.token(text);
    }

    @Override
    public void token(String model, String text) {
      speech.token(model, text);
    }

    @Override
    public void working() {
      speech.working();
    }

    @Override
    public void kind(TaskKind known) throws InterruptedException {
      if (known != kind && !untilKept(() -> shop.streams().note(lease(), known))) {
        throw new CancellationException("the task is another's now");
      }
      kind = known;
    }
  }

  /**
   * An attempt that {@link #start} begins.
   *
   * @param begun from when on its time counts, on the steady clock
   */
  TaskRun(Workshop shop, Held held, TaskWork work, long begun) {
    this.shop = shop;
    this.held = held;
    this.task = held.task();
    this.work = work;
    this.begun = begun;
    this.speech =
        new Speech(
            shop.config().resultBytes(),
            task.attempt() > 1 ? 1 : 0,
            shop.clocks(),
            this::interruptWork);
    this.publisher =
        new StreamPublisher(task, shop.post(), shop.streams(), shop.pause(), shop.points(), this);
    this.worker = Thread.ofVirtual().name("task-work-" + task.id()).unstarted(this::work);
    this.keeper = Thread.ofVirtual().name("task-keep-" + task.id()).unstarted(this::keep);
  }

  void start() {
    keeper.start();
    publisher.start();
    worker.start();
  }

  Lease lease() {
    return held.lease();
  }

  Task task() {
    return task;
  }

  /** Looks at the clock: a stall is shown, and time that is over ends the task. */
  void look() {
    speech.look();
    Duration limit = shop.config().timeLimit();
    if (shop.clocks().reached(begun + limit.toNanos())) {
      end(Ending.timedOut(limit, worker.getStackTrace()));
    }
  }

  void cancel(String by) {
    end(new Ending.Cancelled(by));
  }

  /**
   * It is no longer ours: nothing is written or said from here on.
   *
   * @return whether it hadn't ended here
   */
  boolean leave() {
    boolean first = end(new Ending.Left());
    publisher.stop();
    shop.gone(this);
    return first;
  }

  /** The service stops: what has ended is still told, what hasn't is left. */
  void stop() {
    if (end(new Ending.Left())) {
      publisher.stop();
    }
  }

  /** Waits for what is being written and said, for so long; cuts it short then. */
  void awaitStopped(Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    if (!keeper.join(most) || !publisher.join(Duration.ofNanos(end - System.nanoTime()))) {
      keeper.interrupt();
      publisher.stop();
    }
    if (!worker.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
      log.warn("the work of task {} doesn't heed its interruption", task.id());
    }
  }

  private boolean end(Ending how) {
    boolean first = speech.end(how);
    if (first) {
      interruptWork();
    }
    return first;
  }

  private void interruptWork() {
    worker.interrupt();
  }

  private void work() {
    try (var _ = MDC.putCloseable(Correlation.KEY, task.correlationId().toString())) {
      shop.points().reached(Point.WORK_BEGUN, task.id());
      ObjectNode result = work.run(task, new WorkTokens());
      shop.points().reached(Point.WORK_DONE, task.id());
      speech.end(new Ending.Done(result));
    } catch (Exception | Error e) {
      ProcessWatchdog.report(e);
      speech.end(new Ending.Broken(e));
    } finally {
      oneLess();
    }
  }

  private void oneLess() {
    if (atWork.decrementAndGet() == 0) {
      shop.placeFree();
    }
  }

  private void keep() {
    try (var _ = MDC.putCloseable(Correlation.KEY, task.correlationId().toString())) {
      if (!keepAll()) {
        leave();
      }
    } catch (InterruptedException e) {
      leave();
    } catch (RuntimeException | Error e) {
      log.error("task {} could not be kept; it will be taken up when its lease ends", task.id(), e);
      leave();
    } finally {
      oneLess();
    }
  }

  /** Keeps what comes until the end; false if the task is no longer ours. */
  private boolean keepAll() throws InterruptedException {
    TaskState shown = TaskState.RUNNING;
    boolean spoken = false;
    while (true) {
      Speech.Portion portion = speech.take(shown);
      if (!spoken && !portion.frames().isEmpty()) {
        spoken = true;
        shop.points().reached(Point.TOKENS_CAME, task.id());
      }
      if (portion.ending().isPresent()) {
        return finish(portion.ending().get(), portion.frames(), shown);
      }
      Walk walk = Walk.of(shown, !portion.frames().isEmpty(), portion.speaking());
      if (!untilKept(
          () ->
              shop.streams()
                  .append(lease(), task, portion.frames(), walk, publisher.published(), now()))) {
        return false;
      }
      if (!portion.frames().isEmpty()) {
        shop.points().reached(Point.TOKENS_KEPT, task.id());
        publisher.add(portion.frames());
        shop.watchers().spoke(task.id());
      }
      if (!walk.events().isEmpty()) {
        shown = walk.to();
        shop.watchers().changed(task.id());
      }
    }
  }

  private boolean finish(Ending ending, List<Frame> waiting, TaskState shown)
      throws InterruptedException {
    if (ending instanceof Ending.Left) {
      return false;
    }
    List<Frame> frames = new ArrayList<>(waiting);
    Outcome outcome = outcome(ending, frames);
    Walk walk = Walk.of(shown, !frames.isEmpty(), true);
    Instant at = now();
    if (!untilKept(
        () ->
            shop.streams()
                .finish(lease(), task, frames, walk, outcome, publisher.published(), at))) {
      return false;
    }
    shop.points().reached(Point.OUTCOME_KEPT, task.id());
    publisher.add(frames);
    publisher.end(ended(outcome, at));
    shop.ended(task, kind, outcome);
    return true;
  }

  private Outcome outcome(Ending ending, List<Frame> frames) {
    return switch (ending) {
      case Ending.Done(var result) -> completed(result, frames);
      case Ending.Broken(var cause) -> failed(cause);
      case Ending.TimedOut(var where) -> failed(where);
      case Ending.Cancelled(var by) -> new Outcome.Failed(Ending.cancelled(by));
      case Ending.Left() -> throw new IllegalStateException("what was left has no outcome");
    };
  }

  private Outcome completed(ObjectNode given, List<Frame> frames) {
    try {
      long limit = shop.config().resultBytes();
      ObjectNode result = EvidenceRoom.within(limit, UnicodeStream.paired(given));
      if (Json.bytes(result).length > limit) {
        throw TooMuch.result(limit);
      }
      // It has to be readable inside of an envelope, which is some levels deeper.
      Json.parse(
          "[".repeat(ROOM_FOR_AN_ENVELOPE) + Json.write(result) + "]".repeat(ROOM_FOR_AN_ENVELOPE));
      frames.addAll(speech.complete(result));
      return new Outcome.Completed(result);
    } catch (Json.Malformed | RuntimeException | Error e) {
      return failed(e);
    }
  }

  private Outcome failed(Throwable cause) {
    TaskError error = described(cause);
    if (cause instanceof ThoughtRefusedException) {
      log.info("task {} is refused: {}", task.id(), error.message());
    } else {
      // What a model or a rule fails with is expected, and its sentence says all there is to say.
      boolean expected = cause instanceof ThoughtFailed;
      log.warn(
          LogMarkers.QUOTES_OTHERS,
          "task {} failed: {}",
          task.id(),
          expected ? error.message() : error.stackTrace());
    }
    return new Outcome.Failed(error);
  }

  private TaskError described(Throwable cause) {
    try {
      return shop.masking().error(cause);
    } catch (RuntimeException | Error e) {
      return new TaskError(
          "The task failed with %s, of which no more can be told."
              .formatted(cause.getClass().getName()),
          "");
    }
  }

  private Task ended(Outcome outcome, Instant at) {
    return new Task(
        task.id(),
        task.work(),
        kind,
        outcome.state(),
        task.requesterId(),
        task.prompt(),
        task.input(),
        task.conversationId(),
        task.correlationId(),
        task.attempt(),
        task.cancelledBy(),
        outcome instanceof Outcome.Completed(var result)
            ? java.util.Optional.of(result)
            : java.util.Optional.empty(),
        outcome instanceof Outcome.Failed(var error)
            ? java.util.Optional.of(error)
            : java.util.Optional.empty(),
        task.createdAt(),
        at);
  }

  private Instant now() {
    return shop.time().instant();
  }

  /** A write that says whether the lease is still ours. */
  private interface Write {
    boolean run() throws StoreUnavailable, InterruptedException;
  }

  private boolean untilKept(Write write) throws InterruptedException {
    boolean said = false;
    while (true) {
      try {
        return write.run();
      } catch (StoreUnavailable e) {
        if (!said) {
          log.warn("task {} can't be kept for now: {}", task.id(), e.getMessage());
          said = true;
        }
        if (speech.ending().filter(Ending.Left.class::isInstance).isPresent()) {
          return false;
        }
        shop.pause().pause(TRY_AGAIN);
      }
    }
  }

  @Override
  public void told() {
    try {
      shop.leases().told(lease());
      shop.points().reached(Point.TOLD, task.id());
    } catch (StoreUnavailable e) {
      log.warn("task {} was told, which can't be noted: {}", task.id(), e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      shop.gone(this);
    }
  }

  @Override
  public void leftAt(long published) {
    try {
      shop.leases().release(lease(), published);
    } catch (StoreUnavailable e) {
      log.warn("the lease of task {} ends by itself: {}", task.id(), e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      shop.gone(this);
    }
  }
}
