package joshua.rogers.tap;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import joshua.conversation.Channel;

/** A sender on the bus: one object per name, and a limited number of names per hour. */
@SuppressWarnings("EnumOrdinal")
public // Places of an array that never leaves this object.
final class TrackedSender extends NamedCount {
  /** Stands for all senders beyond the hourly limit. */
  public static final String OTHERS = "*";

  /** Stands for the sender of malformed messages. */
  public static final String UNKNOWN = "?";

  private static final int KINDS = Channel.Kind.values().length;
  private static final VarHandle LAST;
  private static final VarHandle SPOKE;

  static {
    try {
      LAST = MethodHandles.lookup().findVarHandle(TrackedSender.class, "last", long.class);
      SPOKE = MethodHandles.lookup().findVarHandle(TrackedSender.class, "spoke", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Messages by kind of channel, then their bytes, that haven't been handed over. */
  private final long[] fresh = new long[2 * KINDS];

  @SuppressWarnings("UnusedVariable") // By its handle.
  private long last;

  @SuppressWarnings("UnusedVariable") // By its handle.
  private long spoke;

  public TrackedSender(String name) {
    this(name, name.getBytes(StandardCharsets.US_ASCII));
  }

  public TrackedSender(String name, byte[] key) {
    super(name, key);
  }

  /** When its last message was received; 0 before the first. */
  public long lastMillis() {
    return (long) LAST.getOpaque(this);
  }

  /** The same for messages that aren't on {@code mad.system.*}; 0 before the first. */
  public long spokeMillis() {
    return (long) SPOKE.getOpaque(this);
  }

  public void add(Channel.Kind kind, int size, long atMillis) {
    count(size);
    LAST.setOpaque(this, atMillis);
    if (kind != Channel.Kind.SYSTEM) {
      SPOKE.setOpaque(this, atMillis);
    }
    fresh[kind.ordinal()]++;
    fresh[KINDS + kind.ordinal()] += size;
  }

  /** Hands over its counts, and starts again at zero. */
  public void handOver(HourlyCounts hourlyCounts) {
    for (Channel.Kind kind : HourlyCounts.KINDS) {
      int at = kind.ordinal();
      if (fresh[at] > 0) {
        hourlyCounts.sent(name(), kind, fresh[at], fresh[KINDS + at]);
        fresh[at] = 0;
        fresh[KINDS + at] = 0;
      }
    }
    release();
  }
}
