package joshua.rogers.traffic;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import joshua.conversation.BusTap;
import joshua.conversation.ByteRange;
import joshua.conversation.Channel;
import joshua.conversation.Envelope;
import joshua.conversation.EnvelopeCodec;
import joshua.conversation.EnvelopeScan;
import joshua.kernel.ProcessWatchdog;
import joshua.kernel.TreeCost;
import joshua.kernel.TreeTurns;
import joshua.rogers.tap.ChannelTraffic;
import joshua.rogers.tap.DeadMessage;
import joshua.rogers.tap.MessageObserver;
import joshua.rogers.tap.ObservedMessage;
import joshua.rogers.tap.TrackedSender;
import joshua.rogers.tap.UnwatchedSpan;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the tap: each message is checked, counted, and passed to the observers, without waiting for
 * anything and with hardly any allocation.
 */
public final class TrafficReader implements BusTap.Feed {
  private static final Logger log = LoggerFactory.getLogger(TrafficReader.class);
  private static final long COMPLAINT_MILLIS = 60_000;

  private final InstantSource time;
  private final HourlyCounter hourlyCounter;
  private final long envelopeLimit;
  private final EnvelopeScan scan = new EnvelopeScan();
  private final ObservedMessage observedMessage = new ObservedMessage();
  private final ByteRange senderName = new ByteRange();
  private final AtomicLong malformed = new AtomicLong();
  private MessageObserver[] observers = {};
  private @Nullable UnwatchedSpan unwatchedSpan;
  private long failures;
  private long complainedMillis;
  private volatile boolean wanted;

  /**
   * @param envelopeLimit the largest message that is accepted as an envelope, in bytes
   */
  public TrafficReader(InstantSource time, HourlyCounter hourlyCounter, long envelopeLimit) {
    this.time = time;
    this.hourlyCounter = hourlyCounter;
    this.envelopeLimit = envelopeLimit;
  }

  /**
   * Sets what must be known before the tap is opened.
   *
   * @param since where the previous Rogers stopped; what came since then is unseen
   */
  public void begin(Instant since, List<MessageObserver> all) {
    observers = all.toArray(new MessageObserver[0]);
    unwatchedSpan = UnwatchedSpan.from(since, UnwatchedSpan.NOT_RUNNING);
    hourlyCounter.seenUntil(since);
  }

  /** Asks for the counts with the next message: {@link #reached} may be many messages behind. */
  void want() {
    wanted = true;
  }

  /** How many messages weren't envelopes. */
  public long malformed() {
    return malformed.getOpaque();
  }

  @Override
  public void message(ByteRange channel, ByteRange body) {
    long now = now();
    observedMessage.point(channel, body, now);
    if (!TreeCost.isBearable(body.array(), body.start(), body.end())) {
      malformed(channel, body, body.length(), "the message " + TreeCost.RULE, now);
    } else if (scan.isPlain(channel, body)) {
      observedMessage.identify(scan);
      seen(scan.sender(), channel, body.length(), now);
    } else {
      unusual(channel, body, now);
    }
  }

  private long now() {
    long now = time.millis();
    hourlyCounter.at(now);
    if (wanted) {
      wanted = false;
      hourlyCounter.handOver();
    }
    return now;
  }

  private void seen(ByteRange sender, ByteRange channel, int size, long now) {
    TrackedSender from = hourlyCounter.sender(sender);
    ChannelTraffic on = hourlyCounter.channelOf(channel);
    hourlyCounter.count(from, on, size, now);
    observedMessage.name(from, on);
    for (MessageObserver messageObserver : observers) {
      try {
        messageObserver.seen(observedMessage);
      } catch (RuntimeException | Error e) {
        failed(e, now);
      }
    }
  }

  /** Handles a message that is malformed, or written in a way that the scan leaves to the codec. */
  private void unusual(ByteRange channel, ByteRange body, long now) {
    String name = channel.text();
    byte[] copy = body.copy();
    try (TreeTurns.Turn _ = TreeTurns.OF_READERS.take(copy)) {
      Envelope envelope = EnvelopeCodec.decode(name, copy);
      observedMessage.identify(envelope.correlationId(), envelope.conversationId());
      senderName.set(envelope.senderId().getBytes(StandardCharsets.US_ASCII));
      seen(senderName, channel, body.length(), now);
    } catch (EnvelopeCodec.MalformedEnvelopeException e) {
      malformed(channel, body, body.length(), String.valueOf(e.getMessage()), now);
    }
  }

  @Override
  public void oversized(ByteRange channel, ByteRange head, long size) {
    String reason = "the message must be at most %d bytes; it is %d".formatted(envelopeLimit, size);
    malformed(channel, head, (int) Math.min(size, Integer.MAX_VALUE), reason, now());
  }

  private void malformed(ByteRange channel, ByteRange body, int size, String reason, long now) {
    ChannelTraffic on =
        Channel.parse(channel.text()).isPresent()
            ? hourlyCounter.channelOf(channel)
            : hourlyCounter.unknownChannel();
    hourlyCounter.count(hourlyCounter.unknownSender(), on, size, now);
    malformed.setOpaque(malformed.getPlain() + 1);
    DeadMessage letter =
        new DeadMessage(
            new String(channel.copy(DeadMessage.CHANNEL_LIMIT), StandardCharsets.UTF_8),
            on.kind(),
            body.copy(DeadMessage.HEAD_LIMIT),
            size,
            reason,
            now);
    for (MessageObserver messageObserver : observers) {
      try {
        messageObserver.malformed(letter);
      } catch (RuntimeException | Error e) {
        failed(e, now);
      }
    }
  }

  private void failed(Throwable failure, long now) {
    ProcessWatchdog.report(failure);
    failures++;
    if (now - complainedMillis >= COMPLAINT_MILLIS) {
      complainedMillis = now;
      log.error(
          "an observer failed on {} messages since the last time this was said", failures, failure);
      failures = 0;
    }
  }

  @Override
  public void watching(Instant at) {
    UnwatchedSpan span = unwatchedSpan;
    unwatchedSpan = null;
    hourlyCounter.at(at.toEpochMilli());
    if (span != null) {
      tell(span.until(at));
    }
    hourlyCounter.seenUntil(at);
  }

  @Override
  public void away(Instant since) {
    unwatchedSpan = UnwatchedSpan.from(since, UnwatchedSpan.BUS_AWAY);
    tell(unwatchedSpan);
  }

  private void tell(UnwatchedSpan span) {
    hourlyCounter.unseen(span);
    for (MessageObserver messageObserver : observers) {
      try {
        messageObserver.unseen(span);
      } catch (RuntimeException | Error e) {
        failed(e, time.millis());
      }
    }
  }

  @Override
  public void reached(Instant asked) {
    hourlyCounter.seenUntil(asked);
    hourlyCounter.at(time.millis());
    hourlyCounter.handOver();
  }
}
