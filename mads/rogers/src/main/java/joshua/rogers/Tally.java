package joshua.rogers;

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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The counts of the present hour (REQ-RG-15), by sender and kind of channel, and by channel. What
 * was counted is handed over when the flusher has taken what came before, and at the end of the
 * hour; until then it adds up here, which takes no more room.
 *
 * <p>For the thread that reads the tap; its lists and totals may be read by others.
 */
final class Tally {
  private static final Logger log = LoggerFactory.getLogger(Tally.class);
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long NO_HOUR = Long.MIN_VALUE / 2;

  private final HandOver handOver;
  private final int nameLimit;
  private final Names<Sender> senders;
  private final Names<ChannelTraffic> channels;
  private final Sender otherSenders = new Sender(Sender.OTHERS);
  private final Sender unknownSender = new Sender(Sender.UNKNOWN);
  private final Map<Channel.Kind, ChannelTraffic> otherChannels = others();
  private final ChannelTraffic unknownChannel =
      new ChannelTraffic(ChannelTraffic.UNKNOWN, new byte[0], Channel.Kind.OTHER);

  /** Who has counted something since the last hand-over. */
  private final List<Sender> touchedSenders = new ArrayList<>();

  private final List<ChannelTraffic> touchedChannels = new ArrayList<>();
  private final AtomicLong messages = new AtomicLong();
  private final AtomicLong missed = new AtomicLong();
  private long hour = NO_HOUR;
  private boolean toldOfNames;
  private Instant seenUntil = Instant.EPOCH;

  /** What is to be told as soon as there is a place for it. */
  private @Nullable Unseen untold;

  /**
   * Counts nothing yet.
   *
   * @param nameLimit how many senders, and how many channels, are told apart in an hour
   */
  Tally(HandOver handOver, int nameLimit) {
    this.handOver = handOver;
    this.nameLimit = nameLimit;
    long seed = new SecureRandom().nextLong();
    senders = new Names<>(nameLimit, seed, name -> new Sender(name.text(), name.copy()));
    channels = new Names<>(nameLimit, seed, Tally::channel);
  }

  private static ChannelTraffic channel(ByteRange name) {
    String text = name.text();
    return new ChannelTraffic(text, name.copy(), new Channel(text).kind());
  }

  private static Map<Channel.Kind, ChannelTraffic> others() {
    Map<Channel.Kind, ChannelTraffic> others = new EnumMap<>(Channel.Kind.class);
    for (Channel.Kind kind : Counts.KINDS) {
      others.put(kind, new ChannelTraffic(ChannelTraffic.OTHERS, new byte[0], kind));
    }
    return others;
  }

  /** It is now so late: the counts of an hour that is over are handed over. */
  void at(long millis) {
    if (millis - hour >= HOUR || millis < hour) {
      turn(millis);
    }
  }

  private void turn(long millis) {
    if (hour != NO_HOUR) {
      Counts counts = counts();
      if (!handOver.offer(counts) && counts.messages() > 0) {
        lose(counts);
      }
      senders.turn();
      channels.turn();
    }
    toldOfNames = false;
    hour = Math.floorDiv(millis, HOUR) * HOUR;
  }

  /** Counts that nobody has taken for days. */
  private void lose(Counts counts) {
    missed.addAndGet(counts.messages());
    later(
        new Unseen(
            counts.hour(),
            Optional.of(counts.hour().plusMillis(HOUR)),
            Unseen.NOT_WRITTEN,
            OptionalLong.of(counts.messages())));
  }

  Sender sender(ByteRange name) {
    Sender sender = senders.find(name);
    if (sender != null) {
      return sender;
    }
    tellOfNames("senders");
    return otherSenders;
  }

  /** Whoever sent what is no envelope. */
  Sender unknownSender() {
    return unknownSender;
  }

  /** A channel with a valid name. */
  ChannelTraffic channelOf(ByteRange name) {
    ChannelTraffic channel = channels.find(name);
    if (channel != null) {
      return channel;
    }
    tellOfNames("channels");
    return Objects.requireNonNull(otherChannels.get(new Channel(name.text()).kind()));
  }

  /** Something within {@code mad.} that no channel may be called. */
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

  void count(Sender sender, ChannelTraffic channel, int size, long millis) {
    sender.add(channel.kind(), size, millis);
    if (sender.touch()) {
      touchedSenders.add(sender);
    }
    channel.add(size);
    if (channel.touch()) {
      touchedChannels.add(channel);
    }
    messages.setOpaque(messages.getPlain() + 1);
  }

  /** Everything published before {@code instant} has been counted, or told of as unseen. */
  void seenUntil(Instant instant) {
    seenUntil = instant;
  }

  /** Hands over what was counted, if what came before has been taken. */
  void handOver() {
    if (!handOver.isEmpty() || hour == NO_HOUR) {
      return;
    }
    Unseen waiting = untold;
    if (waiting != null && handOver.offer(waiting)) {
      untold = null;
    }
    // There is a place: nobody else adds any.
    if (!handOver.offer(counts())) {
      throw new IllegalStateException("no place for counts among none");
    }
  }

  private Counts counts() {
    Counts counts = new Counts(Instant.ofEpochMilli(hour), seenUntil);
    touchedSenders.forEach(sender -> sender.handOver(counts));
    touchedSenders.clear();
    touchedChannels.forEach(channel -> channel.handOver(counts));
    touchedChannels.clear();
    return counts;
  }

  /** Hands over that something wasn't seen; where there is no place, when there is one. */
  void unseen(Unseen span) {
    if (!handOver.offer(span) && span.until().isPresent()) {
      later(span);
    }
  }

  private void later(Unseen span) {
    Unseen waiting = untold;
    untold = waiting == null ? span : waiting.and(span);
  }

  List<Sender> senders() {
    return senders.list();
  }

  List<ChannelTraffic> channels() {
    return channels.list();
  }

  /** How many messages so far, malformed ones included. */
  long messages() {
    return messages.getOpaque();
  }

  /** How many were counted and then lost, because the database was away for days. */
  long missed() {
    return missed.get();
  }
}
