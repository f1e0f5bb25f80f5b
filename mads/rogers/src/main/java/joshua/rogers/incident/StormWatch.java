package joshua.rogers.incident;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import joshua.conversation.envelope.Channel;
import joshua.rogers.count.Count;
import joshua.rogers.incident.Incident.Kind;

/**
 * Finds senders of far more than usual: a hundred messages a second for ten seconds, and ten times
 * as many as in the hour before. Streams and what services say of themselves are none.
 */
public final class StormWatch {
  private static final long LEAST_A_SECOND = 100;
  private static final Duration LEAST = Duration.ofSeconds(10);
  private static final int TIMES_THE_USUAL = 10;
  private static final long HOUR_S = 3_600;
  private static final Set<Channel.Kind> NOT_COUNTED =
      Set.of(Channel.Kind.STREAM, Channel.Kind.SYSTEM);

  private final Incidents incidents;
  private final Map<String, Streak> streaks = new HashMap<>();
  private Instant lastLook;

  public StormWatch(Incidents incidents, Instant now) {
    this.incidents = incidents;
    this.lastLook = now;
  }

  /** Seconds in a row in which somebody has sent much. */
  private static final class Streak {
    private final Instant begun;
    private long messages;
    private boolean told;

    Streak(Instant begun) {
      this.begun = begun;
    }
  }

  /** Looks at what is new; {@code hourBefore} says how much a sender sent in the hour before. */
  public void look(List<Count> counts, Instant now, ToLongFunction<String> hourBefore) {
    Map<String, Long> sent =
        counts.stream()
            .filter(count -> count.namesSender() && !NOT_COUNTED.contains(count.kind()))
            .collect(Collectors.groupingBy(Count::sender, Collectors.summingLong(Count::messages)));
    double seconds = Math.max(0.001, Duration.between(lastLook, now).toMillis() / 1_000.0);
    sent.values().removeIf(messages -> messages / seconds < LEAST_A_SECOND);
    streaks.keySet().retainAll(sent.keySet());
    Instant since = lastLook;
    sent.forEach((sender, messages) -> {
      Streak streak = streaks.computeIfAbsent(sender, any -> new Streak(since));
      streak.messages += messages;
      look(sender, streak, now, hourBefore);
    });
    lastLook = now;
  }

  private void look(String sender, Streak streak, Instant now, ToLongFunction<String> hourBefore) {
    Duration lasts = Duration.between(streak.begun, now);
    if (streak.told || lasts.compareTo(LEAST) < 0) {
      return;
    }
    streak.told = true;
    double rate = streak.messages * 1_000.0 / lasts.toMillis();
    double usual = hourBefore.applyAsLong(sender) / (double) HOUR_S;
    if (rate >= TIMES_THE_USUAL * usual) {
      incidents.problem(
          Kind.STORM,
          streak.begun,
          sender,
          streak.messages,
          "%.0f messages a second for %d s; %.1f in the hour before"
              .formatted(rate, lasts.toSeconds(), usual));
    }
  }
}
