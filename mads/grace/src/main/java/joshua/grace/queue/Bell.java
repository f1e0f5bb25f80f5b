package joshua.grace.queue;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import joshua.network.SchemaHint;
import org.jspecify.annotations.Nullable;

/**
 * The bell of a queue, on which a program waits to wake the client; a wait is no poll and takes
 * nothing. It rings for new messages of others, at most once in 30 s, and again after 30, 60, 120,
 * 240, 300, 300 … s until an answer has given them. Guarded by the lock of {@link ClientQueues}.
 */
public final class Bell {
  private static final long FIRST_SECONDS = 30;
  private static final long LAST_SECONDS = 300;

  private final ClientQueues queues;
  private final ClientQueue queue;
  private @Nullable UUID holder; // the latest of those who have waited
  private long waits; // that have begun
  private int open;
  private long given; // up to this number answers have given all
  private long known; // up to this number the client knows of all
  private int told; // how often of the last of these; 0 if an answer gave it
  private long knownAt;

  Bell(ClientQueues queues, ClientQueue queue) {
    this.queues = queues;
    this.queue = queue;
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Ring(
      @SchemaHint("What others sent and no answer has given") int waiting,
      @Nullable String from,
      @Nullable Instant oldestAt,
      @SchemaHint("Whether the client is to be told now") boolean due,
      @SchemaHint("Whether another program waits instead") boolean superseded) {
    public static final Ring NONE = new Ring(0, null, null, false, false);
  }

  /** An answer has given the client all up to a number; 0 if that turns out to be unread. */
  void given(long number) {
    given = number;
    known = number;
    told = 0;
    knownAt = queues.nanoTime.getAsLong();
    queue.changed.signalAll();
  }

  Stream<QueuedMessage> unread() {
    return queue.messages.stream()
        .skip(Math.max(0, given - queue.front + 1))
        .filter(message -> !message.again && !queue.hasLeft(message));
  }

  boolean isHeld() {
    return open > 0;
  }

  /** Whether somebody is to be told of what waits, or was a moment ago, and may be on its way. */
  boolean isTelling() {
    long sinceTold = queues.nanoTime.getAsLong() - knownAt;
    return hasNews()
        && (open > 0 || (told > 0 && sinceTold < Duration.ofSeconds(FIRST_SECONDS).toNanos()));
  }

  private boolean hasNews() {
    return queue.lastOfOthers >= Math.max(queue.front, given + 1);
  }

  /** Waits until it rings, in place of earlier holders and earlier waits of this one. */
  Ring await(UUID by, Duration most, BooleanSupplier isOver) throws InterruptedException {
    if (holder != null && by.compareTo(holder) < 0) {
      return ring(false);
    }
    holder = by;
    long wait = ++waits;
    long end = queues.nanoTime.getAsLong() + most.toNanos();
    open++;
    queue.changed.signalAll();
    try {
      while (wait == waits && !queue.gone && !isOver.getAsBoolean()) {
        long left = Math.min(end - queues.nanoTime.getAsLong(), dueIn());
        if (left <= 0) {
          break;
        }
        var _ = queue.changed.awaitNanos(left);
      }
    } finally {
      open--;
      queue.called();
    }
    return ring(wait == waits);
  }

  /** What waits, and whether the client is to be told of it, as it is then. */
  Ring ring(boolean tells) {
    boolean due = tells && dueIn() <= 0;
    if (due) {
      told = queue.lastOfOthers > known ? 1 : told + 1;
      known = queue.lastOfOthers;
      knownAt = queues.nanoTime.getAsLong();
    }
    List<QueuedMessage> others =
        unread().filter(message -> !message.sender.equals(queue.clientId)).toList();
    QueuedMessage oldest = others.isEmpty() ? null : others.getFirst();
    return new Ring(
        others.size(),
        oldest == null ? null : oldest.sender,
        oldest == null ? null : oldest.timestamp,
        due,
        !tells);
  }

  /** In how many nanoseconds it rings; 0 or less: now. */
  private long dueIn() {
    if (!hasNews() || queue.reader.openPolls > 0) {
      return Long.MAX_VALUE;
    }
    boolean isNew = queue.lastOfOthers > known;
    long pause = Math.min(FIRST_SECONDS << Math.clamp(told - 1L, 0, 4), LAST_SECONDS);
    if (isNew) {
      pause = told == 0 ? 0 : FIRST_SECONDS;
    }
    return knownAt + Duration.ofSeconds(pause).toNanos() - queues.nanoTime.getAsLong();
  }
}
