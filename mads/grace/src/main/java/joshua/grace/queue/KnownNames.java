package joshua.grace.queue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Envelope;
import joshua.conversation.Gap;
import joshua.conversation.MessageReceiver;
import joshua.conversation.Presence;
import joshua.conversation.ReceivedMessage;
import org.jspecify.annotations.Nullable;

/**
 * The names that Grace has heard in the last {@value #HOURS} h, at most {@value #LIMIT}, and the
 * taps that MADs announce (wire contract §3). They distinguish a message that has a recipient from
 * one that has none. Names are kept as hashes, least recently heard first.
 *
 * <p>Guarded by {@code lock}.
 */
public final class KnownNames implements MessageReceiver {
  public static final int LIMIT = 50_000;
  public static final int HOURS = 24;

  /** Participants whose taps are counted, and the taps of one of them. */
  static final int TAP_OWNERS = 64;

  static final int TAPS_OF_ONE = 8;

  /** A tap counts for this many of its owner's intervals after a heartbeat. */
  private static final int INTERVALS = 3;

  private static final int LONGEST_INTERVAL_SECONDS = 60;
  private static final int USUAL_INTERVAL_SECONDS = 10;

  private static final List<ChannelPattern> HEARD =
      List.of(ChannelPattern.exactly(Channel.HEARTBEAT), ChannelPattern.exactly(Channel.PRESENCE));

  /** The taps of one participant. */
  private record Taps(int count, Instant until) {}

  private final InstantSource time;
  private final long seed;
  private final Instant listeningSince;
  private final ReentrantLock lock = new ReentrantLock();

  /** When each name was last heard, in milliseconds; negative if it left then. */
  private final LinkedHashMap<Long, Long> moments = new LinkedHashMap<>();

  private final LinkedHashMap<String, Taps> taps = new LinkedHashMap<>();
  private volatile Consumer<String> beaten = name -> {};

  /** The envelope that was recorded last; read and written by the bus's thread alone. */
  private @Nullable Envelope relayed;

  /** Creates it; {@code seed} makes hash collisions unpredictable. */
  public KnownNames(InstantSource time, long seed) {
    this.time = time;
    this.seed = seed;
    this.listeningSince = time.instant();
  }

  /** Starts listening; {@code whoBeats} receives the sender of each heartbeat. */
  public void start(ConversationBus bus, Consumer<String> whoBeats) {
    this.beaten = whoBeats;
    // Names and taps are repeated, so it doesn't matter when Redis confirms.
    var _ = bus.followAsync(this, HEARD);
  }

  public void stop(ConversationBus bus) {
    bus.unfollow(this, HEARD);
  }

  /** Since when it listens: names silent since then are unknown to it. */
  public Instant listeningSince() {
    return listeningSince;
  }

  public void heard(String name) {
    put(name, time.millis());
  }

  private void put(String name, long moment) {
    Long hash = hash(name);
    lock.lock();
    try {
      moments.putLast(hash, moment);
      if (moments.size() > LIMIT) {
        moments.pollFirstEntry();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Records the sender of a relayed message; the bus's thread calls this for each client in turn.
   */
  @SuppressWarnings("ReferenceEquality") // One message is the same object for all its receivers.
  void relayed(Envelope envelope) {
    if (envelope != relayed) {
      relayed = envelope;
      heard(envelope.senderId());
    }
  }

  /** What is known of a name. */
  public enum Knowledge {
    NEVER_HEARD,
    HEARD,
    /** It left, and hasn't been heard since. */
    LEFT
  }

  public Knowledge of(String name) {
    lock.lock();
    try {
      Long moment = moments.get(hash(name));
      if (moment == null || time.millis() - Math.abs(moment) > Duration.ofHours(HOURS).toMillis()) {
        return Knowledge.NEVER_HEARD;
      }
      return moment < 0 ? Knowledge.LEFT : Knowledge.HEARD;
    } finally {
      lock.unlock();
    }
  }

  /** How many names are kept. */
  public int size() {
    lock.lock();
    try {
      return moments.size();
    } finally {
      lock.unlock();
    }
  }

  /** How many taps now receive everything, according to their owners. */
  public int taps() {
    Instant now = time.instant();
    lock.lock();
    try {
      taps.values().removeIf(each -> now.isAfter(each.until()));
      return taps.values().stream().mapToInt(Taps::count).sum();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void deliver(ReceivedMessage receivedMessage) {
    Envelope envelope = receivedMessage.envelope();
    if (Presence.isLeave(envelope)) {
      put(envelope.senderId(), -time.millis());
      forgetTaps(envelope);
      return;
    }
    heard(envelope.senderId());
    if (envelope.channel().equals(Channel.HEARTBEAT)) {
      noteTaps(envelope);
      beaten.accept(envelope.senderId());
    }
  }

  private void noteTaps(Envelope envelope) {
    JsonNode count = envelope.payload().path("detail").path("taps");
    if (!count.isInt() || count.asInt() < 1 || count.asInt() > TAPS_OF_ONE) {
      forgetTaps(envelope);
      return;
    }
    JsonNode interval = envelope.payload().path("interval_s");
    int seconds =
        interval.isInt() && interval.asInt() > 0
            ? Math.min(interval.asInt(), LONGEST_INTERVAL_SECONDS)
            : USUAL_INTERVAL_SECONDS;
    Taps noted = new Taps(count.asInt(), time.instant().plusSeconds((long) INTERVALS * seconds));
    lock.lock();
    try {
      taps.putLast(owner(envelope), noted);
      if (taps.size() > TAP_OWNERS) {
        taps.pollFirstEntry();
      }
    } finally {
      lock.unlock();
    }
  }

  private void forgetTaps(Envelope envelope) {
    lock.lock();
    try {
      taps.remove(owner(envelope));
    } finally {
      lock.unlock();
    }
  }

  /** An owner's instance; one longer than ours is cut, so that what is kept is bounded. */
  private static String owner(Envelope envelope) {
    String instance = envelope.payload().path("instance").asText();
    return envelope.senderId() + " " + instance.substring(0, Math.min(64, instance.length()));
  }

  @Override
  public void missed(Gap gap) {
    // Names heard before stay known, and participants that are there send another heartbeat.
  }

  private long hash(String name) {
    long hash = seed;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
      hash ^= hash >>> 29;
    }
    return hash;
  }
}
