package joshua.network;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that may be in use at once, shared by all who take from it (+JN-03). What is taken is given
 * back by whoever took it. Safe to use from any thread; never blocks.
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

  /** Takes so many bytes; false, and nothing taken, when there aren't so many. */
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
