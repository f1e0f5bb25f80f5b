package joshua.network;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A budget of bytes in use, shared by all users of it (+JN-03). Each user returns what it has
 * taken. Safe to use from any thread; never blocks.
 */
public final class ByteBudget {
  private final long limit;
  private final @Nullable ByteBudget whole;
  private final AtomicLong taken = new AtomicLong();

  private ByteBudget(long limit, @Nullable ByteBudget whole) {
    this.limit = limit;
    this.whole = whole;
  }

  public static ByteBudget of(long limit) {
    return new ByteBudget(limit, null);
  }

  /** A part of this budget: what is taken from it is taken from both. */
  public ByteBudget part(long most) {
    return new ByteBudget(most, this);
  }

  /** Takes {@code bytes}; false, with nothing taken, if there aren't enough. */
  public boolean take(long bytes) {
    if (taken.addAndGet(bytes) <= limit && (whole == null || whole.take(bytes))) {
      return true;
    }
    taken.addAndGet(-bytes);
    return false;
  }

  public void give(long bytes) {
    taken.addAndGet(-bytes);
    if (whole != null) {
      whole.give(bytes);
    }
  }

  /** How many bytes are in use. */
  public long taken() {
    return taken.get();
  }

  /** What a text takes in memory: two bytes a character. */
  public static long size(String text) {
    return 2L * text.length();
  }
}
