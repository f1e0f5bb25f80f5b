package joshua.dewey.archive;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import joshua.conversation.BusConnection;
import joshua.conversation.MessageBuffer;
import joshua.conversation.MessageBuffer.ReceivedMessage;
import joshua.conversation.Tap;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Channel.Kind;

/**
 * The tap of the bus: buffers what participants say, and presence, as far as there is room; topics
 * have less of it, so that a flood of them costs no direct message. Owned by the receiving thread,
 * which also hands over the batches and never blocks.
 */
public final class ArchiveTap extends Tap<ArchiveTap.Heard> {
  /** The most bytes in the buffer behind which a message on a topic isn't taken. */
  private static final int MAX_TOPIC_BYTES = 24 * 1024 * 1024;

  /** The same of any message. While a batch is stored, the next one is buffered. */
  private static final int MAX_BYTES = 32 * 1024 * 1024;

  private static final int MIN_CHARGED_BYTES = 512;

  static final String TOPICS = "messages on topics came faster than they are stored";
  static final String DIRECT = "direct messages came faster than they are stored";

  private final String own;
  private final InstantSource time;
  private final Runnable onCall;
  private final MessageBuffer buffer = new MessageBuffer(MIN_CHARGED_BYTES);
  private final Map<String, Skipped> skipped = new HashMap<>();

  /**
   * A tap that has yet to follow the bus.
   *
   * @param own the channel on which this service is called
   * @param onCall is run for each call
   */
  public ArchiveTap(BusConnection bus, Channel own, InstantSource time, Runnable onCall) {
    super(bus, time);
    this.own = own.name();
    this.time = time;
    this.onCall = onCall;
  }

  /** A number of messages for which there was no room, and the span of time in which they came. */
  public record Skipped(long messages, Instant since, Instant until) {
    private Skipped plus(Skipped later) {
      return new Skipped(messages + later.messages, since, later.until);
    }
  }

  /** The messages since the last batch, and those that were skipped, by the reason. */
  public record Heard(List<ReceivedMessage> received, Map<String, Skipped> skipped) {}

  @Override
  public void onMessage(String channel, byte[] body) {
    boolean direct = channel.startsWith(Kind.DIRECT.prefix());
    boolean said =
        direct
            || channel.startsWith(Kind.TOPIC.prefix())
            || channel.equals(Channel.BROADCAST.name());
    if (!said
        && !channel.equals(Channel.PRESENCE.name())
        && !channel.equals(Channel.HEARTBEAT.name())) {
      return;
    }
    Instant now = time.instant();
    if (!buffer.add(channel, body, now, said && !direct ? MAX_TOPIC_BYTES : MAX_BYTES)) {
      skipped.merge(direct ? DIRECT : TOPICS, new Skipped(1, now, now), Skipped::plus);
    } else if (direct && channel.equals(own)) {
      onCall.run();
    }
  }

  @Override
  protected Heard drain() {
    Heard heard = new Heard(buffer.drain(), Map.copyOf(skipped));
    skipped.clear();
    return heard;
  }
}
