package joshua.rogers.count;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.EnvelopeHead;

/**
 * Counts of published messages by hour, sender and channel (REQ-RG-15). The names in an hour are
 * limited: further senders count as {@code *}, further channels as a wildcard of their kind. The
 * channels of streams, one for each task, count as one.
 *
 * <p>Owned by the receiving thread: a known sender and channel cost a lookup and an addition.
 */
public final class TrafficCounter {
  static final String UNREADABLE = "?";
  static final String OTHERS = "*";

  private static final long HOUR_MS = 3_600_000;
  private static final String STREAM_PREFIX = Channel.Kind.STREAM.pattern() + ".";
  private static final String ALL_STREAMS = wildcard(Channel.Kind.STREAM);

  /** The maximum of senders, of sender and channel pairs, and of a sender's channels, an hour. */
  public record Limits(int senders, int pairs, int channels) {
    public static final Limits DEFAULT = new Limits(20_000, 50_000, 2_000);
  }

  private final Limits limits;
  private final Map<String, Map<String, Cell>> senders = new HashMap<>();
  private final List<Cell> changed = new ArrayList<>();
  private long hour;
  private int pairs;

  public TrafficCounter(Limits limits) {
    this.limits = limits;
  }

  private static final class Cell {
    private final Instant hour;
    private final String sender;
    private final String channel;
    private final Channel.Kind kind;
    private long messages;
    private long bytes;
    private long lastAt;

    Cell(long hour, String sender, String channel, Channel.Kind kind) {
      this.hour = Instant.ofEpochMilli(hour);
      this.sender = sender;
      this.channel = channel;
      this.kind = kind;
    }

    TrafficCount drain() {
      Instant last = Instant.ofEpochMilli(lastAt);
      TrafficCount drained = new TrafficCount(hour, sender, channel, kind, messages, bytes, last);
      messages = 0;
      bytes = 0;
      return drained;
    }
  }

  private static String wildcard(Channel.Kind kind) {
    return kind.pattern() + ".*";
  }

  /** Counts a message, received in a millisecond since 1970, and returns its channel's kind. */
  Channel.Kind count(String channel, byte[] body, long at) {
    long hourStart = at - Math.floorMod(at, HOUR_MS);
    if (hourStart != hour) {
      senders.clear();
      pairs = 0;
      hour = hourStart;
    }
    String sender = EnvelopeHead.senderOf(body);
    Cell cell = cell(sender == null ? UNREADABLE : sender, channel);
    if (cell.messages == 0) {
      changed.add(cell);
    }
    cell.messages++;
    cell.bytes += body.length;
    cell.lastAt = at;
    return cell.kind;
  }

  /** Returns and resets the counts since the last drain. */
  List<TrafficCount> drain() {
    List<TrafficCount> drained = changed.stream().map(Cell::drain).toList();
    changed.clear();
    return drained;
  }

  private Cell cell(String sender, String channel) {
    String name = channel.startsWith(STREAM_PREFIX) ? ALL_STREAMS : channel;
    Map<String, Cell> cells = senders.get(sender);
    Cell cell = cells == null ? null : cells.get(name);
    return cell == null ? addCell(sender, name) : cell;
  }

  private Cell addCell(String sender, String channel) {
    Optional<Channel> wellFormed = Channel.parse(channel);
    Channel.Kind kind =
        channel.equals(ALL_STREAMS)
            ? Channel.Kind.STREAM
            : wellFormed.map(Channel::kind).orElse(Channel.Kind.OTHER);
    boolean hasRoom = senders.containsKey(sender) || senders.size() < limits.senders();
    String countedSender = hasRoom ? sender : OTHERS;
    Map<String, Cell> cells = senders.computeIfAbsent(countedSender, any -> new HashMap<>());
    boolean isKept = pairs < limits.pairs() && cells.size() < limits.channels();
    String name = wellFormed.isPresent() && isKept ? channel : wildcard(kind);
    return cells.computeIfAbsent(
        name,
        any -> {
          pairs++;
          return new Cell(hour, countedSender, name, kind);
        });
  }
}
