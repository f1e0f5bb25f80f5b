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
 * The last messages that weren't valid envelopes, at most {@value #LIMIT} of them, each with its
 * first {@value #BODY_LIMIT} bytes and the first {@value #CHANNEL_LIMIT} of its channel (wire
 * contract §1). Guarded by {@code lock}.
 */
public final class DeadLetters {
  public static final int LIMIT = 1_000;
  public static final int BODY_LIMIT = 1_024;
  public static final int CHANNEL_LIMIT = 256;

  /**
   * One invalid message.
   *
   * @param start the first bytes, decoded as UTF-8 as far as they are valid
   * @param reason the member and the rule that it breaks
   */
  public record DeadLetter(String channel, String start, String reason, Instant time) {}

  private final InstantSource time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<DeadLetter> ring = new ArrayDeque<>();

  DeadLetters(InstantSource time) {
    this.time = time;
  }

  /**
   * Keeps a message.
   *
   * @param channel byte by byte, as in {@link BusLink.Feed#copy}
   */
  void add(String channel, byte[] body, String reason) {
    DeadLetter letter =
        new DeadLetter(
            start(channel.getBytes(StandardCharsets.ISO_8859_1), CHANNEL_LIMIT),
            start(body, BODY_LIMIT),
            reason,
            time.instant());
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

  private static String start(byte[] bytes, int limit) {
    byte[] start = bytes.length > limit ? Arrays.copyOf(bytes, limit) : bytes;
    return new String(start, StandardCharsets.UTF_8);
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
