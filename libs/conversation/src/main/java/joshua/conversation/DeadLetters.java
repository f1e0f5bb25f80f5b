package joshua.conversation;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The last messages that were no valid envelope, at most {@value #LIMIT} of them, each with its
 * first {@value #BODY_LIMIT} bytes (wire contract §1). Guarded by {@code lock}.
 */
public final class DeadLetters {
  public static final int LIMIT = 1_000;
  public static final int BODY_LIMIT = 1_024;

  /**
   * One of them.
   *
   * @param start the first bytes, read as UTF-8 as far as they are that
   * @param reason the member and the rule that it breaks
   */
  public record DeadLetter(String channel, String start, String reason, Instant time) {}

  private final InstantSource time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<DeadLetter> ring = new ArrayDeque<>();

  DeadLetters(InstantSource time) {
    this.time = time;
  }

  void add(String channel, byte[] body, String reason) {
    byte[] start = body.length > BODY_LIMIT ? Arrays.copyOf(body, BODY_LIMIT) : body;
    DeadLetter letter =
        new DeadLetter(channel, new String(start, StandardCharsets.UTF_8), reason, time.instant());
    lock.lock();
    try {
      if (ring.size() == LIMIT) {
        ring.removeFirst();
      }
      ring.addLast(letter);
    } finally {
      lock.unlock();
    }
  }

  /** Oldest first. */
  public List<DeadLetter> list() {
    lock.lock();
    try {
      return List.copyOf(ring);
    } finally {
      lock.unlock();
    }
  }
}
