package joshua.rogers.incident;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
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

  /** What was published, by its channel, until it is known whether anybody received it. */
  private final Map<String, Waiting> waiting = new LinkedHashMap<>();

  private record Waiting(Count count, Instant since) {}

  /** What Redis knows of those who receive. */
  public interface Subscribers {
    /** How many connections are subscribed to exactly this channel. */
    long of(String channel);

    /** Whether somebody follows patterns of which nothing else is known. */
    boolean followPatterns();
  }

  public UnheardWatch(Incidents incidents) {
    this.incidents = incidents;
  }

  /** Takes what was counted. */
  public void published(List<Count> counts) {
    for (Count count : counts) {
      boolean isAnswer =
          count.kind() == Channel.Kind.DIRECT && Access.SERVICE_NAMES.contains(count.sender());
      boolean isOne = Channel.parse(count.channel()).isPresent();
      switch (count.kind()) {
        case DIRECT, TOPIC, BROADCAST -> {
          if (isOne && !isAnswer && waiting.size() < MOST_WAITING) {
            waiting.merge(
                count.channel(),
                new Waiting(count, count.lastAt()),
                (one, more) -> new Waiting(one.count().plus(more.count()), one.since()));
          }
        }
        case STREAM, SYSTEM, OTHER -> {}
      }
    }
  }

  /**
   * Looks at what has waited long enough.
   *
   * @param isKnown whether a participant of a name has been heard
   */
  public void look(
      Instant now,
      Predicate<String> isKnown,
      Collection<Followers> relays,
      Subscribers subscribers) {
    List<Followers> alive =
        relays.stream().filter(relay -> relay.at().isAfter(now.minus(RELAY_ALIVE))).toList();
    Iterator<Waiting> all = waiting.values().iterator();
    for (int looked = 0; all.hasNext() && looked < MOST_AT_ONCE; ) {
      Waiting each = all.next();
      if (each.since().isBefore(now.minus(SETTLED))) {
        all.remove();
        looked++;
        look(each.count(), isKnown, alive, subscribers);
      }
    }
  }

  private void look(
      Count count, Predicate<String> isKnown, List<Followers> relays, Subscribers subscribers) {
    String channel = count.channel();
    Optional<String> recipient = new Channel(channel).recipient();
    boolean isHeard =
        recipient.isPresent()
            ? isKnown.test(recipient.get())
                || relays.stream().anyMatch(relay -> relay.patterns().containsKey(channel))
            : subscribers.followPatterns()
                || relays.stream().anyMatch(relay -> follows(relay, channel));
    if (!isHeard && subscribers.of(channel) == 0) {
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
