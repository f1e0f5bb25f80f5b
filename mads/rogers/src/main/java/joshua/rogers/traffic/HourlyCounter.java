package joshua.rogers.traffic;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import joshua.conversation.ByteRange;
import joshua.conversation.Channel;
import joshua.rogers.tap.ChannelTraffic;
import joshua.rogers.tap.FlushQueue;
import joshua.rogers.tap.HourlyCounts;
import joshua.rogers.tap.InternedNames;
import joshua.rogers.tap.TrackedSender;
import joshua.rogers.tap.UnwatchedSpan;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The counts of the current hour (REQ-RG-15), by sender and kind of channel, and by channel. They
 * are handed over when the flusher has taken the previous ones, and at the end of the hour; until
 * then they add up here, which takes no more memory.
 *
 * <p>For the thread that reads the tap; its lists and totals may be read by others.
 */
public final class HourlyCounter {
  private static final Logger log = LoggerFactory.getLogger(HourlyCounter.class);
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long NO_HOUR = Long.MIN_VALUE / 2;

  private final FlushQueue flushQueue;
  private final int nameLimit;
  private final InternedNames<TrackedSender> senders;
  private final InternedNames<ChannelTraffic> channels;
  private final TrackedSender otherSenders = new TrackedSender(TrackedSender.OTHERS);
  private final TrackedSender unknownSender = new TrackedSender(TrackedSender.UNKNOWN);
  private final Map<Channel.Kind, ChannelTraffic> otherChannels = others();
  private final ChannelTraffic unknownChannel =
      new ChannelTraffic(ChannelTraffic.UNKNOWN, new byte[0], Channel.Kind.OTHER);

  /** Senders that have counted something since the last hand-over. */
  private final List<TrackedSender> touchedSenders = new ArrayList<>();

  private final List<ChannelTraffic> touchedChannels = new ArrayList<>();
  private final AtomicLong messages = new AtomicLong();
  private final AtomicLong missed = new AtomicLong();
  private long hour = NO_HOUR;
  private boolean toldOfNames;
  private Instant seenUntil = Instant.EPOCH;

  /** A span to be handed over as soon as there is room. */
  private @Nullable UnwatchedSpan untold;

  /**
   * Starts with no counts.
   *
   * @param nameLimit how many senders, and how many channels, are counted separately in an hour
   */
  public HourlyCounter(FlushQueue flushQueue, int nameLimit) {
    this.flushQueue = flushQueue;
    this.nameLimit = nameLimit;
    long seed = new SecureRandom().nextLong();
    senders =
        new InternedNames<>(nameLimit, seed, name -> new TrackedSender(name.text(), name.copy()));
    channels = new InternedNames<>(nameLimit, seed, HourlyCounter::channel);
  }

  private static ChannelTraffic channel(ByteRange name) {
    String text = name.text();
    return new ChannelTraffic(text, name.copy(), new Channel(text).kind());
  }

  private static Map<Channel.Kind, ChannelTraffic> others() {
    Map<Channel.Kind, ChannelTraffic> others = new EnumMap<>(Channel.Kind.class);
    for (Channel.Kind kind : HourlyCounts.KINDS) {
      others.put(kind, new ChannelTraffic(ChannelTraffic.OTHERS, new byte[0], kind));
    }
    return others;
  }

  /** Advances the clock; hands over the counts of an hour that is over. */
  public void at(long millis) {
    if (millis - hour >= HOUR || millis < hour) {
      turn(millis);
    }
  }

  private void turn(long millis) {
    if (hour != NO_HOUR) {
      HourlyCounts hourlyCounts = counts();
      if (!flushQueue.offer(hourlyCounts) && hourlyCounts.messages() > 0) {
        lose(hourlyCounts);
      }
      senders.turn();
      channels.turn();
    }
    toldOfNames = false;
    hour = Math.floorDiv(millis, HOUR) * HOUR;
  }

  /** Drops counts that weren't taken for days. */
  private void lose(HourlyCounts hourlyCounts) {
    missed.addAndGet(hourlyCounts.messages());
    later(
        new UnwatchedSpan(
            hourlyCounts.hour(),
            Optional.of(hourlyCounts.hour().plusMillis(HOUR)),
            UnwatchedSpan.NOT_WRITTEN,
            OptionalLong.of(hourlyCounts.messages())));
  }

  public TrackedSender sender(ByteRange name) {
    TrackedSender trackedSender = senders.find(name);
    if (trackedSender != null) {
      return trackedSender;
    }
    tellOfNames("senders");
    return otherSenders;
  }

  /** The sender of messages that aren't envelopes. */
  TrackedSender unknownSender() {
    return unknownSender;
  }

  /** A channel with a valid name. */
  public ChannelTraffic channelOf(ByteRange name) {
    ChannelTraffic channel = channels.find(name);
    if (channel != null) {
      return channel;
    }
    tellOfNames("channels");
    return Objects.requireNonNull(otherChannels.get(new Channel(name.text()).kind()));
  }

  /** A name within {@code mad.} that no channel may have. */
  ChannelTraffic unknownChannel() {
    return unknownChannel;
  }

  private void tellOfNames(String what) {
    if (!toldOfNames) {
      toldOfNames = true;
      log.warn(
          "More than {} {} in this hour: further ones are counted together, as *. The limit is JOSHUA_ROGERS_NAMES_LIMIT.",
          nameLimit,
          what);
    }
  }

  public void count(TrackedSender trackedSender, ChannelTraffic channel, int size, long millis) {
    trackedSender.add(channel.kind(), size, millis);
    if (trackedSender.touch()) {
      touchedSenders.add(trackedSender);
    }
    channel.add(size);
    if (channel.touch()) {
      touchedChannels.add(channel);
    }
    messages.setOpaque(messages.getPlain() + 1);
  }

  /** Everything published before {@code instant} has been counted, or reported as unseen. */
  void seenUntil(Instant instant) {
    seenUntil = instant;
  }

  /** Hands over the counts, if the previous ones have been taken. */
  public void handOver() {
    if (!flushQueue.isEmpty() || hour == NO_HOUR) {
      return;
    }
    UnwatchedSpan waiting = untold;
    if (waiting != null && flushQueue.offer(waiting)) {
      untold = null;
    }
    // There is room: only this thread adds items.
    if (!flushQueue.offer(counts())) {
      throw new IllegalStateException("no place for counts among none");
    }
  }

  private HourlyCounts counts() {
    HourlyCounts hourlyCounts = new HourlyCounts(Instant.ofEpochMilli(hour), seenUntil);
    touchedSenders.forEach(trackedSender -> trackedSender.handOver(hourlyCounts));
    touchedSenders.clear();
    touchedChannels.forEach(channel -> channel.handOver(hourlyCounts));
    touchedChannels.clear();
    return hourlyCounts;
  }

  /** Hands over a span that wasn't seen; if there is no room, later. */
  void unseen(UnwatchedSpan span) {
    if (!flushQueue.offer(span) && span.until().isPresent()) {
      later(span);
    }
  }

  private void later(UnwatchedSpan span) {
    UnwatchedSpan waiting = untold;
    untold = waiting == null ? span : waiting.and(span);
  }

  public List<TrackedSender> senders() {
    return senders.list();
  }

  public List<ChannelTraffic> channels() {
    return channels.list();
  }

  /** How many messages so far, malformed ones included. */
  public long messages() {
    return messages.getOpaque();
  }

  /** How many were counted and then lost, because the database was away for days. */
  public long missed() {
    return missed.get();
  }
}
