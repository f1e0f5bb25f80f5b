package joshua.rogers.incident;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import joshua.conversation.envelope.Channel;
import joshua.rogers.count.TrafficCount;
import joshua.rogers.incident.Incident.Kind;

/**
 * Detects senders far above their usual rate: a hundred messages a second for ten seconds, and ten
 * times as many as in the hour before. Streams and system channels don't count.
 */
public final class StormDetector {
  private static final long MIN_PER_SECOND = 100;
  private static final Duration MIN_DURATION = Duration.ofSeconds(10);
  private static final int MIN_FACTOR = 10;
  private static final long HOUR_S = 3_600;
  private static final Set<Channel.Kind> IGNORED_KINDS =
      Set.of(Channel.Kind.STREAM, Channel.Kind.SYSTEM);

  private final PendingIncidents incidents;
  private final Map<String, Burst> bursts = new HashMap<>();
  private Instant lastCheck;

  public StormDetector(PendingIncidents incidents, Instant now) {
    this.incidents = incidents;
    this.lastCheck = now;
  }

  /** Consecutive seconds in which a participant has sent much. */
  private static final class Burst {
    private final Instant startedAt;
    private long messages;
    private boolean judged;

    Burst(Instant startedAt) {
      this.startedAt = startedAt;
    }
  }

  /** Checks new counts; {@code hourBefore} has the number of messages in the hour before. */
  public void check(List<TrafficCount> counts, Instant now, ToLongFunction<String> hourBefore) {
    Map<String, Long> sent =
        counts.stream()
            .filter(count -> count.namesSender() && !IGNORED_KINDS.contains(count.kind()))
            .collect(groupingBy(TrafficCount::sender, summingLong(TrafficCount::messages)));
    double seconds = Math.max(0.001, Duration.between(lastCheck, now).toMillis() / 1_000.0);
    sent.values().removeIf(messages -> messages / seconds < MIN_PER_SECOND);
    bursts.keySet().retainAll(sent.keySet());
    Instant since = lastCheck;
    sent.forEach((sender, messages) -> {
      Burst burst = bursts.computeIfAbsent(sender, any -> new Burst(since));
      burst.messages += messages;
      check(sender, burst, now, hourBefore);
    });
    lastCheck = now;
  }

  private void check(String sender, Burst burst, Instant now, ToLongFunction<String> hourBefore) {
    Duration duration = Duration.between(burst.startedAt, now);
    if (burst.judged || duration.compareTo(MIN_DURATION) < 0) {
      return;
    }
    burst.judged = true;
    double rate = burst.messages * 1_000.0 / duration.toMillis();
    double baseline = hourBefore.applyAsLong(sender) / (double) HOUR_S;
    if (rate >= MIN_FACTOR * baseline) {
      incidents.addProblem(
          Kind.STORM,
          burst.startedAt,
          sender,
          burst.messages,
          "%.0f messages a second for %d s; %.1f in the hour before"
              .formatted(rate, duration.toSeconds(), baseline));
    }
  }
}
