package joshua.rogers.tap;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import joshua.conversation.ByteRange;

/**
 * A name whose messages are counted for as long as it is in use. Written by the thread that reads
 * the tap; others may read, and see a slightly outdated value.
 */
public abstract sealed class NamedCount permits TrackedSender, ChannelTraffic {
  private static final VarHandle MESSAGES;
  private static final VarHandle BYTES;

  static {
    try {
      MethodHandles.Lookup here = MethodHandles.lookup();
      MESSAGES = here.findVarHandle(NamedCount.class, "messages", long.class);
      BYTES = here.findVarHandle(NamedCount.class, "bytes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final String name;
  private final byte[] key;
  private long messages;
  private long bytes;

  /** Whether it has counts that haven't been handed over. */
  private boolean touched;

  NamedCount(String name, byte[] key) {
    this.name = name;
    this.key = key;
  }

  public final String name() {
    return name;
  }

  /**
   * How many messages so far; starts again at 0 when the name comes back after an hour of silence.
   */
  public final long messages() {
    return (long) MESSAGES.getOpaque(this);
  }

  /** The bytes of the same messages. */
  final long bytes() {
    return (long) BYTES.getOpaque(this);
  }

  final void count(int size) {
    MESSAGES.setOpaque(this, messages + 1);
    BYTES.setOpaque(this, bytes + size);
  }

  /** Whether this is the first touch since the last hand-over. */
  public final boolean touch() {
    boolean first = !touched;
    touched = true;
    return first;
  }

  final void release() {
    touched = false;
  }

  final boolean isNamed(ByteRange other) {
    return Arrays.equals(key, 0, key.length, other.array(), other.start(), other.end());
  }

  final ByteRange range() {
    ByteRange range = new ByteRange();
    range.set(key);
    return range;
  }

  @Override
  public final String toString() {
    return name;
  }
}
