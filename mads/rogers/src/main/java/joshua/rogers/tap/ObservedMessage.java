package joshua.rogers.tap;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.UUID;
import joshua.conversation.ByteRange;
import joshua.conversation.Envelope;
import joshua.conversation.EnvelopeCodec;
import joshua.conversation.EnvelopeScan;
import org.jspecify.annotations.Nullable;

/**
 * The message that is being observed: one object, reused for one message after the other. Valid
 * during {@link MessageObserver#seen} only.
 */
public final class ObservedMessage {
  private ByteRange channelName = new ByteRange();
  private ByteRange body = new ByteRange();
  private @Nullable TrackedSender trackedSender;
  private @Nullable ChannelTraffic channel;
  private long atMillis;
  private long correlationHigh;
  private long correlationLow;
  private long conversationHigh;
  private long conversationLow;
  private ByteBuffer buffer = ByteBuffer.allocate(0);

  /** The sender; {@code *} beyond the limit of names. */
  public TrackedSender sender() {
    return Objects.requireNonNull(trackedSender);
  }

  /** The channel; {@code *} of the same kind beyond the limit of names. */
  public ChannelTraffic channel() {
    return Objects.requireNonNull(channel);
  }

  /** The channel's own name, even where {@link #channel} is {@code *}. Creates a String. */
  public String channelName() {
    return channelName.text();
  }

  /** When it was received, by Rogers' clock. */
  public long atMillis() {
    return atMillis;
  }

  public long correlationHigh() {
    return correlationHigh;
  }

  public long correlationLow() {
    return correlationLow;
  }

  long conversationHigh() {
    return conversationHigh;
  }

  long conversationLow() {
    return conversationLow;
  }

  /** The whole envelope as received; its position is at the start at each call. */
  @SuppressWarnings("ReferenceEquality")
  public // Whether it is the very array, not one like it.
  ByteBuffer body() {
    if (buffer.array() != body.array()) {
      buffer = ByteBuffer.wrap(body.array());
    }
    return buffer.limit(body.end()).position(body.start());
  }

  /** The size of the whole envelope in bytes. */
  public int size() {
    return body.length();
  }

  /** Decodes it; meant for rare channels only. */
  public Envelope envelope() {
    try {
      return EnvelopeCodec.decode(channelName.text(), body.copy());
    } catch (EnvelopeCodec.MalformedEnvelopeException e) {
      throw new IllegalStateException("an envelope that was valid a moment ago", e);
    }
  }

  public void point(ByteRange on, ByteRange envelope, long millis) {
    channelName = on;
    body = envelope;
    atMillis = millis;
  }

  public void name(TrackedSender from, ChannelTraffic on) {
    trackedSender = from;
    channel = on;
  }

  public void identify(EnvelopeScan scan) {
    correlationHigh = scan.correlationHigh();
    correlationLow = scan.correlationLow();
    conversationHigh = scan.conversationHigh();
    conversationLow = scan.conversationLow();
  }

  public void identify(UUID correlation, UUID conversation) {
    correlationHigh = correlation.getMostSignificantBits();
    correlationLow = correlation.getLeastSignificantBits();
    conversationHigh = conversation.getMostSignificantBits();
    conversationLow = conversation.getLeastSignificantBits();
  }
}
