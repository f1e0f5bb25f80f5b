package joshua.rogers.alert;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.Json;
import org.jspecify.annotations.Nullable;

/**
 * The events that Rogers has noticed and is to publish (+RG-18): the first of each kind and subject
 * at once, then at most every 10 s, with how often it was noticed since. Guarded by {@code lock}:
 * what waits to be published.
 */
public final class SystemEvents {
  public static final Duration QUIET = Duration.ofSeconds(10);

  private static final long QUIET_NANOS = QUIET.toNanos();

  /** Subjects of one kind in 10 s; beyond that, they are reported together. */
  static final int SUBJECTS = 200;

  /** The subject of those reported together. */
  static final String OTHERS = "*";

  /** The kinds of events. */
  enum Kind {
    /** A participant's state has changed; the subject is its name. */
    STATE,
    /** A message wasn't an envelope; the subject is the channel. */
    DEAD_LETTER,
    /** No client is known to listen; the subject is the channel. */
    UNHEARD,
    /** A sender sends much more than usual; the subject is the sender. */
    STORM,
    /** Messages go round; the subject is the correlation id. */
    LOOP,
    /**
     * A relay's ledger disagrees with what was published; the subject is the relay and the part.
     */
    LOSS;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One event, as it is published.
   *
   * @param count how often it was noticed since it was last published
   * @param detail of the newest occurrence
   */
  record Event(Kind kind, String subject, Instant at, long count, ObjectNode detail) {
    ObjectNode payload() {
      ObjectNode payload =
          Json.object()
              .put("event", kind.word())
              .put("at", EnvelopeCodec.timestamp(at))
              .put("subject", subject)
              .put("count", count);
      return payload.setAll(detail);
    }
  }

  private static final class Waiting {
    private long count;
    private @Nullable ObjectNode detail;
    private boolean told;
    private long toldNanos;

    boolean isQuiet(long nowNanos) {
      return told && nowNanos - toldNanos < QUIET_NANOS;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Kind, Map<String, Waiting>> waiting = new EnumMap<>(Kind.class);

  /** Records that something was noticed {@code count} times. Never waits. */
  void note(Kind kind, String subject, long count, ObjectNode detail) {
    lock.lock();
    try {
      Map<String, Waiting> subjects = waiting.computeIfAbsent(kind, any -> new LinkedHashMap<>());
      boolean room = subjects.containsKey(subject) || subjects.size() < SUBJECTS;
      Waiting entry = subjects.computeIfAbsent(room ? subject : OTHERS, any -> new Waiting());
      entry.count += count;
      entry.detail = detail;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes the events that are to be published now.
   *
   * @param nowNanos the time of {@link System#nanoTime}, which durations are measured by
   */
  List<Event> due(Instant now, long nowNanos) {
    List<Event> due = new ArrayList<>();
    lock.lock();
    try {
      waiting.forEach((kind, subjects) ->
          subjects
              .entrySet()
              .removeIf(entry -> {
                Waiting noted = entry.getValue();
                boolean quiet = noted.isQuiet(nowNanos);
                if (!quiet && noted.detail != null) {
                  due.add(new Event(kind, entry.getKey(), now, noted.count, noted.detail));
                  noted.count = 0;
                  noted.detail = null;
                  noted.told = true;
                  noted.toldNanos = nowNanos;
                  return false;
                }
                return !quiet;
              }));
    } finally {
      lock.unlock();
    }
    return due;
  }

  /** Takes the events that wait for their quiet time to end, at shutdown. */
  List<Event> rest(Instant now) {
    List<Event> rest = new ArrayList<>();
    lock.lock();
    try {
      waiting.forEach((kind, subjects) ->
          subjects.forEach((subject, noted) -> {
            if (noted.detail != null) {
              rest.add(new Event(kind, subject, now, noted.count, noted.detail));
            }
          }));
      waiting.clear();
    } finally {
      lock.unlock();
    }
    return rest;
  }
}
