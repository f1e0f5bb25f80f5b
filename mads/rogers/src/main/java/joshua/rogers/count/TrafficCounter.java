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
 * Counts what is published, by hour, sender and channel (REQ-RG-15). Names are bounded in each
 * hour: what is beyond counts by the kind of its channel, and under {@code *}. The channels of
 * streams, one for each task, are one.
 *
 * <p>Owned by the thread that receives: for a message whose sender and channel are known it looks
 * them up, and adds.
 */
public final class TrafficCounter {
  static final String UNREADABLE = "?";
  static final String OTHERS = "*";

  private static final long HOUR_MS = 3_600_000;
  private static final String STREAMS = Channel.Kind.STREAM.pattern() + ".";
  private static final String ALL_STREAMS = all(Channel.Kind.STREAM);

  /** The most senders, pairs of a sender and a channel, and channels of a sender in an hour. */
  public record Limits(int senders, int pairs, int channels) {
    public static final Limits USUAL = new Limits(20_000, 50_000, 2_000);
  }

  private final Limits limits;
  private final Map<String, Map<String, Cell>> senders = new HashMap<>();
  private final List<Cell> counted = new ArrayList<>();
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

    Count take() {
      Instant last = Instant.ofEpochMilli(lastAt);
      Count taken = new Count(hour, sender, channel, kind, messages, bytes, last);
      messages = 0;
      bytes = 0;
      return taken;
    }
  }

  private static String all(Channel.Kind kind) {
    return kind.pattern() + ".*";
  }

  /** Counts a message that came at a millisecond since 1970, and returns its channel's kind. */
  Channel.Kind count(String channel, byte[] body, long at) {
    long present = at - Math.floorMod(at, HOUR_MS);
    if (present != hour) {
      senders.clear();
      pairs = 0;
      hour = present;
    }
    String sender = EnvelopeHead.senderOf(body);
    Cell cell = cell(sender == null ? UNREADABLE : sender, channel);
    if (cell.messages == 0) {
      counted.add(cell);
    }
    cell.messages++;
    cell.bytes += body.length;
    cell.lastAt = at;
    return cell.kind;
  }

  /** Takes what has been counted since the last time. */
  List<Count> take() {
    List<Count> taken = counted.stream().map(Cell::take).toList();
    counted.clear();
    return taken;
  }

  private Cell cell(String sender, String channel) {
    String name = channel.startsWith(STREAMS) ? ALL_STREAMS : channel;
    Map<String, Cell> cells = senders.get(sender);
    Cell cell = cells == null ? null : cells.get(name);
    return cell == null ? added(sender, name) : cell;
  }

  private Cell added(String sender, String channel) {
    Optional<Channel> wellFormed = Channel.parse(channel);
    Channel.Kind kind =
        channel.equals(ALL_STREAMS)
            ? Channel.Kind.STREAM
            : wellFormed.map(Channel::kind).orElse(Channel.Kind.OTHER);
    boolean isRoom = senders.containsKey(sender) || senders.size() < limits.senders();
    String counting = isRoom ? sender : OTHERS;
    Map<String, Cell> cells = senders.computeIfAbsent(counting, any -> new HashMap<>());
    boolean isKept = pairs < limits.pairs() && cells.size() < limits.channels();
    String name = wellFormed.isPresent() && isKept ? channel : all(kind);
    return cells.computeIfAbsent(
        name,
        any -> {
          pairs++;
          return new Cell(hour, counting, name, kind);
        });
  }
}
