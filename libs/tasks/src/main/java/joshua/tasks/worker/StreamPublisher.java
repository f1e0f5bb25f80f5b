package joshua.tasks.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import joshua.conversation.CorrelationContext;
import joshua.kernel.TimedWait;
import joshua.state.StoreUnavailableException;
import joshua.tasks.model.StreamFrame;
import joshua.tasks.model.StreamPage;
import joshua.tasks.model.Task;
import joshua.tasks.store.CrashPoint;
import joshua.tasks.store.CrashPoints;
import joshua.tasks.store.StreamStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The publisher of one running task's stored frames: in order, each only after Redis has taken the
 * one before. While the bus is away it waits, with at most {@value #AT_HAND} frames in memory and
 * the others in the database; it blocks no other thread. Guarded by {@code lock}; sending happens
 * outside it.
 */
public final class StreamPublisher {
  public static final int AT_HAND = 1_024;

  private static final int PAGE_CHARACTERS = 64 * 1024;
  private static final Duration TRY_AGAIN = Duration.ofMillis(50);
  private static final Logger log = LoggerFactory.getLogger(StreamPublisher.class);

  /** Called when publishing is complete or has been given up. */
  interface Afterwards {
    /** Everything is published. */
    void told();

    /** The bus is away: another process sends the rest later, beginning at that frame. */
    void leftAt(long published);
  }

  private final Task task;
  private final TaskPublisher taskPublisher;
  private final StreamStore streams;
  private final TimedWait timedWait;
  private final CrashPoints crashPoints;
  private final Afterwards afterwards;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<StreamFrame> atHand = new ArrayDeque<>();
  private long kept;
  private long published;
  private @Nullable Task ended;
  private boolean stopped;

  StreamPublisher(
      Task task,
      TaskPublisher taskPublisher,
      StreamStore streams,
      TimedWait timedWait,
      CrashPoints crashPoints,
      Afterwards afterwards) {
    this.task = task;
    this.taskPublisher = taskPublisher;
    this.streams = streams;
    this.timedWait = timedWait;
    this.crashPoints = crashPoints;
    this.afterwards = afterwards;
    // A later attempt begins with a frame that was stored when the task was taken over.
    this.kept = task.attempt() > 1 ? 1 : 0;
    this.thread = Thread.ofVirtual().name("task-stream-" + task.id()).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Adds frames, which have been stored. */
  void add(List<StreamFrame> frames) {
    lock.lock();
    try {
      if (atHand.size() + frames.size() <= AT_HAND) {
        atHand.addAll(frames);
      }
      kept += frames.size();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The number of frames known to be published. */
  long published() {
    lock.lock();
    try {
      return published;
    } finally {
      lock.unlock();
    }
  }

  /** The task has ended; with the frames added before, its stream is complete. */
  void end(Task how) {
    lock.lock();
    try {
      ended = how;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Publishes nothing more: the task is no longer ours. */
  void stop() {
    lock.lock();
    try {
      stopped = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    thread.interrupt();
  }

  /** Waits until everything is published or given up. */
  boolean join(Duration most) throws InterruptedException {
    return !most.isNegative() && thread.join(most);
  }

  private void run() {
    try (var _ = MDC.putCloseable(CorrelationContext.KEY, task.correlationId().toString())) {
      while (publishNext()) {
        // Next frames.
      }
    } catch (InterruptedException e) {
      log.debug("task {} is not published any further here", task.id());
    } catch (RuntimeException | Error e) {
      log.error("task {} could not be published; it will be when its lease ends", task.id(), e);
      afterwards.leftAt(published());
    }
  }

  /** Publishes what is due; returns whether there may be more. */
  private boolean publishNext() throws InterruptedException {
    List<StreamFrame> due = due();
    for (StreamFrame streamFrame : due) {
      if (isStopped()) {
        return false;
      }
      while (!taskPublisher.frame(task, streamFrame)) {
        if (ending().isPresent()) {
          afterwards.leftAt(published());
          return false;
        }
        awaitBus();
      }
      advance();
      crashPoints.reached(CrashPoint.FRAME_PUBLISHED, task.id());
    }
    if (!due.isEmpty()) {
      return true;
    }
    Optional<Task> how = ending();
    if (how.isEmpty() || isStopped()) {
      return false;
    }
    if (tell(how.get())) {
      afterwards.told();
    } else {
      afterwards.leftAt(published());
    }
    return false;
  }

  private boolean tell(Task how) {
    if (!taskPublisher.last(how, published())) {
      return false;
    }
    crashPoints.reached(CrashPoint.STREAM_ENDED, task.id());
    if (!taskPublisher.notification(how)) {
      return false;
    }
    crashPoints.reached(CrashPoint.NOTIFIED, task.id());
    return true;
  }

  private void awaitBus() throws InterruptedException {
    do {
      timedWait.pause(TRY_AGAIN);
    } while (!taskPublisher.canSend() && ending().isEmpty() && !isStopped());
    if (isStopped()) {
      throw new InterruptedException("stopped");
    }
  }

  /** Waits for frames; empty when the task has ended and all are published. */
  private List<StreamFrame> due() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (published >= kept && ended == null && !stopped) {
        changed.await();
      }
      while (!atHand.isEmpty() && atHand.getFirst().sequence() < published) {
        atHand.removeFirst();
      }
      if (stopped || published >= kept) {
        return List.of();
      }
      List<StreamFrame> due = contiguous();
      if (!due.isEmpty()) {
        return due;
      }
    } finally {
      lock.unlock();
    }
    return fromStore();
  }

  private List<StreamFrame> contiguous() {
    List<StreamFrame> due = new ArrayList<>();
    long next = published;
    while (!atHand.isEmpty() && atHand.getFirst().sequence() == next) {
      due.add(atHand.removeFirst());
      next++;
    }
    return due;
  }

  private List<StreamFrame> fromStore() throws InterruptedException {
    while (true) {
      try {
        return streams
            .page(task.id(), published(), PAGE_CHARACTERS)
            .map(StreamPage::frames)
            .filter(frames -> !frames.isEmpty())
            .orElseThrow(() -> new IllegalStateException("frames that were kept are gone"));
      } catch (StoreUnavailableException e) {
        log.warn("the stream of task {} can't be read: {}", task.id(), e.getMessage());
        timedWait.pause(TRY_AGAIN.multipliedBy(10));
      }
    }
  }

  private void advance() {
    lock.lock();
    try {
      published++;
    } finally {
      lock.unlock();
    }
  }

  private Optional<Task> ending() {
    lock.lock();
    try {
      return Optional.ofNullable(ended);
    } finally {
      lock.unlock();
    }
  }

  private boolean isStopped() {
    lock.lock();
    try {
      return stopped;
    } finally {
      lock.unlock();
    }
  }
}
