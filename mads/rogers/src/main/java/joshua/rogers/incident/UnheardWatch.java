package joshua.rogers.incident;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * on a topic that nobody follows. That a topic is followed by clients of a relay is known some time
 * later, so that it counts as followed if that is said within that time. Left out are participants
 * that are known and away, since the sender was told, and what services answer to those who may
 * have asked them by other ways.
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

  /** What was published and hasn't been looked at. */
  private final Deque<Count> fresh = new ArrayDeque<>();

  /** What nobody but a client of a relay can have received. */
  private final List<Count> waiting = new ArrayList<>();

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

  /** Takes what was counted within about a second. */
  public void published(List<Count> counts) {
    Map<String, Count> byChannel = new LinkedHashMap<>();
    for (Count count : counts) {
      boolean isLookedAt =
          switch (count.kind()) {
            case DIRECT -> !Access.SERVICE_NAMES.contains(count.sender()); // those are answers
            case TOPIC, BROADCAST -> true;
            case STREAM, SYSTEM, OTHER -> false;
          };
      if (isLookedAt && Channel.parse(count.channel()).isPresent()) {
        byChannel.merge(count.channel(), count, Count::plus);
      }
    }
    byChannel.values().stream()
        .limit(MOST_WAITING - Math.min(MOST_WAITING, fresh.size() + waiting.size()))
        .forEach(fresh::add);
  }

  /** Looks at what is new, and at what has waited. */
  public void look(Instant now, Collection<Followers> relays) {
    List<Followers> alive =
        relays.stream().filter(relay -> relay.at().isAfter(now.minus(RELAY_ALIVE))).toList();
    for (int i = 0; i < MOST_AT_ONCE && !fresh.isEmpty(); i++) {
      Count count = fresh.remove();
      if (!isSubscribedTo(new Channel(count.channel()))) {
        waiting.add(count);
      }
    }
    waiting.removeIf(
        count -> alive.stream().anyMatch(relay -> follows(relay, new Channel(count.channel()))));
    for (Count count : List.copyOf(waiting)) {
      if (count.lastAt().isBefore(now.minus(SETTLED))) {
        boolean isDirect = count.kind() == Channel.Kind.DIRECT;
        waiting.remove(count);
        incidents.problem(
            Kind.UNHEARD,
            count.lastAt(),
            count.channel(),
            count.messages(),
            isDirect ? "nobody of that name was ever heard" : "nobody follows it");
      }
    }
  }

  private boolean isSubscribedTo(Channel channel) {
    return channel.recipient().map(isKnown::test).orElseGet(followPatterns::getAsBoolean)
        || subscribers.applyAsLong(channel.name()) > 0;
  }

  private static boolean follows(Followers relay, Channel channel) {
    return channel.recipient().isPresent()
        ? relay.patterns().containsKey(channel.name())
        : relay.isCut()
            || relay.patterns().keySet().stream()
                .map(ChannelPattern::new)
                .anyMatch(
                    pattern -> pattern.matches(channel.name()) && pattern.asksFor(channel.name()));
  }
}
