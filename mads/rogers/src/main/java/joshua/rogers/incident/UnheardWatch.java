package joshua.rogers.incident;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.ChannelPattern;
import joshua.network.Access;
import joshua.rogers.count.Count;
import joshua.rogers.incident.Incident.Kind;
import joshua.rogers.incident.Inspector.Followers;

/**
 * Finds what nobody received: direct messages to a name that was never heard, and what is published
 * on a topic that nobody follows. It waits until relays have told what their clients follow. Left
 * out are participants that are known and away, since the sender was told, and what services answer
 * to those who may have asked them by other ways.
 */
public final class UnheardWatch {
  private static final Duration SETTLED = Duration.ofSeconds(12);
  private static final Duration RELAY_ALIVE = Duration.ofSeconds(30);
  private static final int MOST_WAITING = 1_000;
  private static final int MOST_AT_ONCE = 10;

  private final Incidents incidents;
  private final Predicate<String> isKnown;
  private final ToLongFunction<String> subscribers;
  private final BooleanSupplier followPatterns;

  /** What was published, by its channel, until it is known whether anybody received it. */
  private final Map<String, Waiting> waiting = new LinkedHashMap<>();

  private record Waiting(Count count, Instant since) {}

  /**
   * A watch.
   *
   * @param isKnown whether a participant of a name has been heard
   * @param subscribers how many connections to Redis are subscribed to exactly a channel
   * @param followPatterns whether some follow patterns of which nothing else is known
   */
  public UnheardWatch(
      Incidents incidents,
      Predicate<String> isKnown,
      ToLongFunction<String> subscribers,
      BooleanSupplier followPatterns) {
    this.incidents = incidents;
    this.isKnown = isKnown;
    this.subscribers = subscribers;
    this.followPatterns = followPatterns;
  }

  /** Takes what was counted. */
  public void published(List<Count> counts) {
    for (Count count : counts) {
      boolean isLookedAt =
          switch (count.kind()) {
            case DIRECT -> !Access.SERVICE_NAMES.contains(count.sender()); // those are answers
            case TOPIC, BROADCAST -> true;
            case STREAM, SYSTEM, OTHER -> false;
          };
      boolean isOne = Channel.parse(count.channel()).isPresent();
      if (isLookedAt && isOne && waiting.size() < MOST_WAITING) {
        waiting.merge(
            count.channel(),
            new Waiting(count, count.lastAt()),
            (one, more) -> new Waiting(one.count().plus(more.count()), one.since()));
      }
    }
  }

  /** Looks at what has waited long enough. */
  public void look(Instant now, Collection<Followers> relays) {
    List<Followers> alive =
        relays.stream().filter(relay -> relay.at().isAfter(now.minus(RELAY_ALIVE))).toList();
    List<Count> settled =
        waiting.values().stream()
            .filter(each -> each.since().isBefore(now.minus(SETTLED)))
            .limit(MOST_AT_ONCE)
            .map(Waiting::count)
            .toList();
    for (Count count : settled) {
      waiting.remove(count.channel());
      look(count, alive);
    }
  }

  private void look(Count count, List<Followers> relays) {
    String channel = count.channel();
    Optional<String> recipient = new Channel(channel).recipient();
    boolean isHeard =
        recipient.isPresent()
            ? isKnown.test(recipient.get())
                || relays.stream().anyMatch(relay -> relay.patterns().containsKey(channel))
            : followPatterns.getAsBoolean()
                || relays.stream().anyMatch(relay -> follows(relay, channel));
    if (!isHeard && subscribers.applyAsLong(channel) == 0) {
      incidents.problem(
          Kind.UNHEARD,
          count.lastAt(),
          channel,
          count.messages(),
          recipient.isPresent() ? "nobody of that name was ever heard" : "nobody follows it");
    }
  }

  private static boolean follows(Followers relay, String channel) {
    return relay.isCut()
        || relay.patterns().keySet().stream()
            .map(ChannelPattern::new)
            .anyMatch(pattern -> pattern.matches(channel) && pattern.asksFor(channel));
  }
}
