package joshua.rogers.console;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import joshua.conversation.envelope.EnvelopeCodec;
import org.jspecify.annotations.Nullable;

/**
 * The last messages of the bus, in memory alone. The receiving thread adds without locks, and
 * signals nobody: readers look whether there is something new.
 */
public final class RecentMessages {
  private static final long MAX_BYTES = 16 * 1024 * 1024;

  private final AtomicReferenceArray<Recent> slots;
  private final AtomicLong last = new AtomicLong();
  private long oldest = 1; // of the receiving thread, as is the next
  private long bytes;

  /** A message by its number since the start; what can't be an envelope is cut. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Recent(long number, long at, String channel, byte[] body, int size) {}

  /** Keeps so many messages, of 16 MiB in all. */
  public RecentMessages(int capacity) {
    this.slots = new AtomicReferenceArray<>(capacity);
  }

  /** Adds a message; called by the receiving thread. */
  public void add(String channel, byte[] body, long at) {
    if (slots.length() == 0) {
      return;
    }
    byte[] kept =
        body.length > EnvelopeCodec.MAX_BYTES ? Arrays.copyOf(body, RecentTool.MAX_TEXT) : body;
    long number = last.getPlain() + 1;
    bytes += kept.length;
    while (number - oldest >= slots.length() || bytes > MAX_BYTES) {
      int gone = slot(oldest++);
      bytes -= slots.getPlain(gone).body().length;
      slots.setPlain(gone, null);
    }
    slots.setRelease(slot(number), new Recent(number, at, channel, kept, body.length));
    last.setRelease(number);
  }

  private int slot(long number) {
    return (int) (number % slots.length());
  }

  /** The number of the newest message; 0 for none. */
  long last() {
    return last.getAcquire();
  }

  /** Why there may be none. */
  List<String> caveats() {
    return slots.length() > 0
        ? List.of()
        : List.of("Rogers has no messages in memory, since JOSHUA_ROGERS_RECENT is 0.");
  }

  /** When the oldest came that is kept; null for none. */
  @Nullable Instant oldestAt() {
    return between(0, last()).stream()
        .findFirst()
        .map(message -> Instant.ofEpochMilli(message.at()))
        .orElse(null);
  }

  /** The messages after one up to another, as far as they are kept, in the order they came. */
  List<Recent> between(long after, long until) {
    List<Recent> messages = new ArrayList<>();
    for (long number = Math.max(after, until - slots.length()) + 1; number <= until; number++) {
      Recent message = slots.getAcquire(slot(number));
      if (message != null && message.number() == number) {
        messages.add(message);
      }
    }
    return messages;
  }
}
