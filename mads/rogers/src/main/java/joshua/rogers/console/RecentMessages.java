package joshua.rogers.console;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import joshua.conversation.envelope.EnvelopeCodec;
import org.jspecify.annotations.Nullable;

/**
 * The last messages of the bus, in memory alone. The receiving thread adds without locks, and
 * signals nobody: readers look whether there is something new.
 *
 * <p>They are in chunks, made one after another: each message that was put into one old array would
 * cost a barrier of the garbage collector.
 */
public final class RecentMessages {
  private static final long MAX_BYTES = 16 * 1024 * 1024;
  private static final int CHUNK_MESSAGES = 256;
  private static final int CHUNK_BYTES = 1024 * 1024;

  private final int capacity;
  private final AtomicLong last = new AtomicLong(); // releases the messages to readers
  private Chunk current = new Chunk();
  private volatile List<Chunk> chunks = List.of(current);

  /** A message by its number since the start; what can't be an envelope is cut. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Recent(long number, long at, String channel, byte[] body, int size) {}

  /** Messages that came one after another; the size is the receiving thread's. */
  private static final class Chunk {
    private final Recent[] messages = new Recent[CHUNK_MESSAGES];
    private int size;
    private long bytes;
  }

  /** Keeps so many messages, of 16 MiB in all. */
  public RecentMessages(int capacity) {
    this.capacity = capacity;
  }

  /** Adds a message; called by the receiving thread. */
  public void add(String channel, byte[] body, long at) {
    if (capacity == 0) {
      return;
    }
    if (current.size == CHUNK_MESSAGES || current.bytes >= CHUNK_BYTES) {
      beginChunk();
    }
    byte[] kept =
        body.length > EnvelopeCodec.MAX_BYTES ? Arrays.copyOf(body, RecentTool.MAX_TEXT) : body;
    long number = last.getPlain() + 1;
    current.bytes += kept.length;
    current.messages[current.size++] = new Recent(number, at, channel, kept, body.length);
    last.setRelease(number);
  }

  private void beginChunk() {
    List<Chunk> all = new ArrayList<>(chunks);
    long messages = all.stream().mapToLong(chunk -> chunk.size).sum();
    long bytes = all.stream().mapToLong(chunk -> chunk.bytes).sum();
    while (messages - all.getFirst().size >= capacity || bytes > MAX_BYTES - CHUNK_BYTES) {
      Chunk gone = all.removeFirst();
      messages -= gone.size;
      bytes -= gone.bytes;
    }
    current = new Chunk();
    all.add(current);
    chunks = all;
  }

  /** The number of the newest message; 0 for none. */
  long last() {
    return last.getAcquire();
  }

  /** Why there may be none. */
  List<String> caveats() {
    return capacity > 0
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
    long first = Math.max(after, until - capacity) + 1;
    return chunks.stream()
        .flatMap(chunk -> Arrays.stream(chunk.messages))
        .filter(message -> message != null)
        .filter(message -> message.number() >= first && message.number() <= until)
        .toList();
  }
}
