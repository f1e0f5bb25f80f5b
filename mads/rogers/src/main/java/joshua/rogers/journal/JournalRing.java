package joshua.rogers.journal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages that the journal still has to write: copies in a ring of bytes, from the one thread
 * that reads the tap to the one that writes. Neither waits for the other: what doesn't fit is left
 * out, and counted. Adding a message allocates nothing.
 *
 * <p>A copy is its length, its time, and its bytes, in one piece; a length of {@link #TURN} says
 * that the rest of the ring isn't used. Positions grow forever.
 */
final class JournalRing {
  private static final int HEAD = Integer.BYTES + Long.BYTES;
  private static final int ALIGNMENT = Integer.BYTES;
  private static final int TURN = -1;

  private static final VarHandle WRITTEN;
  private static final VarHandle READ;
  private static final VarHandle LEFT;
  private static final VarHandle TOLD;

  static {
    try {
      MethodHandles.Lookup here = MethodHandles.lookup();
      WRITTEN = here.findVarHandle(JournalRing.class, "written", long.class);
      READ = here.findVarHandle(JournalRing.class, "read", long.class);
      LEFT = here.findVarHandle(JournalRing.class, "left", long.class);
      TOLD = here.findVarHandle(JournalRing.class, "told", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A message as it was received. */
  @SuppressWarnings("ArrayRecordComponent") // Handed over once, never compared.
  record Copy(long atMillis, byte[] envelope) {}

  /** Messages that were left out since the last query. */
  record LeftOut(long sinceMillis, long untilMillis, long messages) {}

  private final byte[] bytes;
  private final ByteBuffer ring;

  // Written by the tap's thread.
  private long written;
  private long left;
  private long leftSince;
  private long leftUntil;

  // Written by the journal's thread.
  private long read;
  private long told;

  JournalRing(int size) {
    if (size < HEAD || size % ALIGNMENT != 0) {
      throw new IllegalArgumentException("a ring of whole lengths");
    }
    this.bytes = new byte[size];
    this.ring = ByteBuffer.wrap(bytes);
  }

  /** Copies a message, or counts it as left out. For the tap's thread alone. */
  void offer(long atMillis, ByteBuffer envelope) {
    int size = padded(HEAD + envelope.remaining());
    int at = (int) (written % bytes.length);
    int toEnd = bytes.length - at;
    long needed = size <= toEnd ? size : (long) toEnd + size;
    if (needed > bytes.length - (written - (long) READ.getAcquire(this))) {
      leaveOut(atMillis);
      return;
    }
    if (size > toEnd) {
      ring.putInt(at, TURN);
      at = 0;
    }
    int length = envelope.remaining();
    ring.putInt(at, length).putLong(at + Integer.BYTES, atMillis);
    ring.put(at + HEAD, envelope, envelope.position(), length);
    WRITTEN.setRelease(this, written + needed);
  }

  private void leaveOut(long atMillis) {
    if (left == (long) TOLD.getAcquire(this)) {
      leftSince = atMillis;
    }
    leftUntil = atMillis;
    LEFT.setRelease(this, left + 1);
  }

  /**
   * Removes and returns the oldest copy; null when there is none. For the journal's thread alone.
   */
  @Nullable Copy poll() {
    if (read == (long) WRITTEN.getAcquire(this)) {
      return null;
    }
    int at = (int) (read % bytes.length);
    long passed = 0;
    if (ring.getInt(at) == TURN) {
      passed = (long) bytes.length - at;
      at = 0;
    }
    int length = ring.getInt(at);
    Copy copy =
        new Copy(
            ring.getLong(at + Integer.BYTES),
            Arrays.copyOfRange(bytes, at + HEAD, at + HEAD + length));
    READ.setRelease(this, read + passed + padded(HEAD + length));
    return copy;
  }

  /** What was left out since the last call. For the journal's thread alone. */
  Optional<LeftOut> leftOut() {
    long all = (long) LEFT.getAcquire(this);
    if (all == told) {
      return Optional.empty();
    }
    LeftOut out = new LeftOut(leftSince, leftUntil, all - told);
    TOLD.setRelease(this, all);
    return Optional.of(out);
  }

  private static int padded(int size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
}
