package joshua.grace.presence;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.SpellingSuggestion;
import org.jspecify.annotations.Nullable;

/**
 * Who has been heard on the bus since this relay listens, and which processes tap it. Of the names
 * the least recently heard is forgotten first.
 */
public final class KnownParticipants {
  private static final int MOST_COMPARED = 1_000;
  private static final int MAX_NAMES = 50_000;
  private static final Duration TAP_ALIVE = Duration.ofSeconds(15);
  private static final String ARCHIVIST = "dewey";

  private final Instant listeningSince;
  private final LongSupplier nanoTime;
  private final String ownTap;
  private final Map<String, Boolean> names =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
              return size() > MAX_NAMES;
            }
          });
  private final Map<String, Long> taps = new ConcurrentHashMap<>();
  private volatile @Nullable Long archivistBeat;

  /**
   * Nobody has been heard yet.
   *
   * @param ownTap the id of this process' tap
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  public KnownParticipants(Instant listeningSince, String ownTap, LongSupplier nanoTime) {
    this.listeningSince = listeningSince;
    this.ownTap = ownTap;
    this.nanoTime = nanoTime;
  }

  public Instant listeningSince() {
    return listeningSince;
  }

  void heard(String name) {
    names.put(name, true);
  }

  boolean isKnown(String name) {
    return names.containsKey(name);
  }

  /** A known name that is written nearly so, among those heard last: the search takes time. */
  Optional<String> nearest(String name) {
    List<String> known;
    synchronized (names) {
      known = names.keySet().stream().skip(Math.max(0, names.size() - MOST_COMPARED)).toList();
    }
    return SpellingSuggestion.nearest(name, known);
  }

  /** A heartbeat came, which tells of a tap. */
  void beat(Envelope heartbeat) {
    String tap = heartbeat.payload().path("detail").path("tap").asText();
    if (!tap.isEmpty() && taps.size() < MAX_NAMES) {
      taps.put(tap, nanoTime.getAsLong());
    }
    if (heartbeat.senderId().equals(ARCHIVIST)) {
      archivistBeat = nanoTime.getAsLong();
    }
  }

  /** How many processes receive everything, this one among them. */
  long taps() {
    long now = nanoTime.getAsLong();
    taps.values().removeIf(beat -> now - beat > TAP_ALIVE.toNanos());
    return (long) taps.size() + (taps.containsKey(ownTap) ? 0 : 1);
  }

  /** Whether messages are being kept for later. */
  boolean areMessagesKept() {
    Long beat = archivistBeat;
    return beat != null && nanoTime.getAsLong() - beat <= TAP_ALIVE.toNanos();
  }
}
