package joshua.tasks.worker;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.conversation.CorrelationContext;
import joshua.kernel.Json;
import joshua.kernel.LogMarkers;
import joshua.kernel.ProcessWatchdog;
import joshua.state.StoreUnavailableException;
import joshua.tasks.model.LimitExceededException;
import joshua.tasks.model.RunEnding;
import joshua.tasks.model.StepSequence;
import joshua.tasks.model.StreamFrame;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskError;
import joshua.tasks.model.TaskKind;
import joshua.tasks.model.TaskOutcome;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TaskWork;
import joshua.tasks.model.TokenSink;
import joshua.tasks.model.UnicodeStream;
import joshua.tasks.store.CrashPoint;
import joshua.tasks.store.Lease;
import joshua.tasks.store.LeasedTask;
import joshua.thought.ThoughtFailedException;
import joshua.thought.ThoughtRefusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * One attempt at one task, in this process: a thread that does the work, one that stores its output
 * and outcome, one that publishes it. Work that ignores its interruption holds its slot, but
 * doesn't delay the task's end.
 */
public final class TaskRun implements StreamPublisher.Afterwards {
  private static final Duration TRY_AGAIN = Duration.ofMillis(500);
  private static final int ROOM_FOR_AN_ENVELOPE = 3;
  private static final Logger log = LoggerFactory.getLogger(TaskRun.class);

  private final TaskExecutor shop;
  private final LeasedTask leasedTask;
  private final Task task;
  private final TaskWork work;
  private final long begun;
  private final StreamBuffer streamBuffer;
  private final StreamPublisher publisher;
  private final Thread worker;
  private final Thread keeper;
  private final AtomicInteger atWork = new AtomicInteger(2);
  private volatile TaskKind kind = TaskKind.WORK;

  /** Buffers the work's output for the storing thread; stores the task's kind at once. */
  private final class WorkTokens implements TokenSink {
    @Override
    public void token(String text) {
      streamBuffer.token(text);
    }

    @Override
    public void token(String model, String text) {
      streamBuffer.token(model, text);
    }

    @Override
    public void working() {
      streamBuffer.working();
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
   * An attempt, not yet started; {@link #start} starts it.
   *
   * @param begun when its time limit starts, on the steady clock
   */
  TaskRun(TaskExecutor shop, LeasedTask leasedTask, TaskWork work, long begun) {
    this.shop = shop;
    this.leasedTask = leasedTask;
    this.task = leasedTask.task();
    this.work = work;
    this.begun = begun;
    this.streamBuffer =
        new StreamBuffer(
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
    return leasedTask.lease();
  }

  Task task() {
    return task;
  }

  /** Applies the clock: shows a stall, and ends the task once its time limit has passed. */
  void look() {
    streamBuffer.look();
    Duration limit = shop.config().timeLimit();
    if (shop.clocks().reached(begun + limit.toNanos())) {
      end(RunEnding.timedOut(limit, worker.getStackTrace()));
    }
  }

  void cancel(String by) {
    end(new RunEnding.Cancelled(by));
  }

  /**
   * The task is no longer ours: nothing is written or published from here on.
   *
   * @return whether it hadn't ended here
   */
  boolean leave() {
    boolean first = end(new RunEnding.Left());
    publisher.stop();
    shop.gone(this);
    return first;
  }

  /** The service stops: a task that has ended is still published, one that hasn't is left. */
  void stop() {
    if (end(new RunEnding.Left())) {
      publisher.stop();
    }
  }

  /** Waits at most this long for pending writes and publishing; then cuts them short. */
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

  private boolean end(RunEnding how) {
    boolean first = streamBuffer.end(how);
    if (first) {
      interruptWork();
    }
    return first;
  }

  private void interruptWork() {
    worker.interrupt();
  }

  private void work() {
    try (var _ = MDC.putCloseable(CorrelationContext.KEY, task.correlationId().toString())) {
      shop.points().reached(CrashPoint.WORK_BEGUN, task.id());
      ObjectNode result = work.run(task, new WorkTokens());
      shop.points().reached(CrashPoint.WORK_DONE, task.id());
      streamBuffer.end(new RunEnding.Done(result));
    } catch (Exception | Error e) {
      ProcessWatchdog.report(e);
      streamBuffer.end(new RunEnding.Broken(e));
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
    try (var _ = MDC.putCloseable(CorrelationContext.KEY, task.correlationId().toString())) {
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

  /** Stores output until the end; false if the task is no longer ours. */
  private boolean keepAll() throws InterruptedException {
    TaskState shown = TaskState.RUNNING;
    boolean spoken = false;
    while (true) {
      StreamBuffer.Portion portion = streamBuffer.take(shown);
      if (!spoken && !portion.frames().isEmpty()) {
        spoken = true;
        shop.points().reached(CrashPoint.TOKENS_CAME, task.id());
      }
      if (portion.ending().isPresent()) {
        return finish(portion.ending().get(), portion.frames(), shown);
      }
      StepSequence stepSequence =
          StepSequence.of(shown, !portion.frames().isEmpty(), portion.speaking());
      if (!untilKept(
          () ->
              shop.streams()
                  .append(
                      lease(),
                      task,
                      portion.frames(),
                      stepSequence,
                      publisher.published(),
                      now()))) {
        return false;
      }
      if (!portion.frames().isEmpty()) {
        shop.points().reached(CrashPoint.TOKENS_KEPT, task.id());
        publisher.add(portion.frames());
        shop.watchers().spoke(task.id());
      }
      if (!stepSequence.events().isEmpty()) {
        shown = stepSequence.to();
        shop.watchers().changed(task.id());
      }
    }
  }

  private boolean finish(RunEnding runEnding, List<StreamFrame> waiting, TaskState shown)
      throws InterruptedException {
    if (runEnding instanceof RunEnding.Left) {
      return false;
    }
    List<StreamFrame> frames = new ArrayList<>(waiting);
    TaskOutcome taskOutcome = outcome(runEnding, frames);
    StepSequence stepSequence = StepSequence.of(shown, !frames.isEmpty(), true);
    Instant at = now();
    if (!untilKept(
        () ->
            shop.streams()
                .finish(
                    lease(), task, frames, stepSequence, taskOutcome, publisher.published(), at))) {
      return false;
    }
    shop.points().reached(CrashPoint.OUTCOME_KEPT, task.id());
    publisher.add(frames);
    publisher.end(task.ended(kind, taskOutcome, at));
    shop.ended(task, kind, taskOutcome);
    return true;
  }

  private TaskOutcome outcome(RunEnding runEnding, List<StreamFrame> frames) {
    return switch (runEnding) {
      case RunEnding.Done(var result) -> completed(result, frames);
      case RunEnding.Broken(var cause) -> failed(cause);
      case RunEnding.TimedOut(var where) -> failed(where);
      case RunEnding.Cancelled(var by) -> new TaskOutcome.Failed(RunEnding.cancelled(by));
      case RunEnding.Left() -> throw new IllegalStateException("what was left has no outcome");
    };
  }

  private TaskOutcome completed(ObjectNode given, List<StreamFrame> frames) {
    try {
      long limit = shop.config().resultBytes();
      ObjectNode result = EvidenceTruncator.within(limit, UnicodeStream.paired(given));
      if (Json.bytes(result).length > limit) {
        throw LimitExceededException.result(limit);
      }
      // The result must be parseable inside an envelope, which nests it some levels deeper.
      Json.parse(
          "[".repeat(ROOM_FOR_AN_ENVELOPE) + Json.write(result) + "]".repeat(ROOM_FOR_AN_ENVELOPE));
      frames.addAll(streamBuffer.complete(result));
      return new TaskOutcome.Completed(result);
    } catch (Json.MalformedJsonException | RuntimeException | Error e) {
      return failed(e);
    }
  }

  private TaskOutcome failed(Throwable cause) {
    TaskError error = described(cause);
    if (cause instanceof ThoughtRefusedException) {
      log.info("task {} is refused: {}", task.id(), error.message());
    } else {
      // Failures of a model or a rule are expected, and their message says all there is to say.
      boolean expected = cause instanceof ThoughtFailedException;
      log.warn(
          LogMarkers.QUOTES_OTHERS,
          "task {} failed: {}",
          task.id(),
          expected ? error.message() : error.stackTrace());
    }
    return new TaskOutcome.Failed(error);
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

  private Instant now() {
    return shop.time().instant();
  }

  /** A write that returns whether the lease is still ours. */
  private interface Write {
    boolean run() throws StoreUnavailableException, InterruptedException;
  }

  private boolean untilKept(Write write) throws InterruptedException {
    boolean said = false;
    while (true) {
      try {
        return write.run();
      } catch (StoreUnavailableException e) {
        if (!said) {
          log.warn(
              "task {} can't be kept until the database answers: {}", task.id(), e.getMessage());
          said = true;
        }
        if (streamBuffer.ending().filter(RunEnding.Left.class::isInstance).isPresent()) {
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
      shop.points().reached(CrashPoint.TOLD, task.id());
    } catch (StoreUnavailableException e) {
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
    } catch (StoreUnavailableException e) {
      log.warn("the lease of task {} ends by itself: {}", task.id(), e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      shop.gone(this);
    }
  }
}
