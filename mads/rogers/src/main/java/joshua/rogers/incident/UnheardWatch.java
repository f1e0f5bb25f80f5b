package joshua.rogers.incident;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import joshua.conversation.RelayReports.Report;
import joshua.conversation.envelope.Channel;
import joshua.network.Access;
import joshua.rogers.count.Count;
import joshua.rogers.incident.Incident.Kind;

/**
 * Finds messages that nobody received: what is published on a topic that nobody follows, and direct
 * messages to somebody who is away, or was never heard. That a channel is followed by clients of a
 * relay is known some time later, so that it counts as followed if that is said within that time.
 * What a service other than a relay sends to a name that was never heard is left out: it answers
 * those who asked by its tools, and have the answer from there.
 */
public final class UnheardWatch {
  private static final Duration SETTLED = Duration.ofSeconds(12);
  private static final int MAX_WAITING = 10_000;

  private final Incidents incidents;
  private final Predicate<String> isKnown;
  private final Access access;
  private final Subscribers subscribers;
  private final BooleanSupplier followPatterns;

  /** What was published and hasn't been looked at. */
  private final List<Count> fresh = new ArrayList<>();

  /** What nobody but a client of a relay can have received. */
  private final List<Count> waiting = new ArrayList<>();

  /** Says how many connections to Redis are subscribed to exactly each of some channels. */
  @FunctionalInterface
  public interface Subscribers {
    /** Empty where Redis doesn't answer. */
    Optional<Map<String, Long>> of(Collection<String> channels);
  }

  /**
   * A watch.
   *
   * @param isKnown whether a participant of a name has been heard
   * @param followPatterns whether some follow patterns of which nothing else is known
   */
  public UnheardWatch(
      Incidents incidents,
      Predicate<String> isKnown,
      Access access,
      Subscribers subscribers,
      BooleanSupplier followPatterns) {
    this.incidents = incidents;
    this.isKnown = isKnown;
    this.access = access;
    this.subscribers = subscribers;
    this.followPatterns = followPatterns;
  }

  /** Takes what was counted within about a second. */
  public void published(List<Count> counts) {
    Map<List<String>, Count> all = new LinkedHashMap<>();
    for (Count count : counts) {
      boolean isDirect = count.kind() == Channel.Kind.DIRECT;
      boolean isLookedAt =
          isDirect || count.kind() == Channel.Kind.TOPIC || count.kind() == Channel.Kind.BROADCAST;
      if (isLookedAt && Channel.parse(count.channel()).isPresent()) {
        List<String> key = List.of(count.channel(), isDirect ? count.sender() : "");
        all.merge(key, count, Count::plus);
      }
    }
    for (Count count : all.values()) {
      if (fresh.size() + waiting.size() < MAX_WAITING) {
        fresh.add(count);
      } else {
        unjudged(count, "more channels than can be looked at");
      }
    }
  }

  /** Looks at what is new, and at what has waited. */
  public void look(Instant now, Collection<Report> relays) {
    Instant settled = now.minus(SETTLED);
    fresh.removeIf(count -> isFollowed(count, relays));
    askRedis(settled);
    waiting.removeIf(count -> isFollowed(count, relays));
    for (Count count : List.copyOf(waiting)) {
      if (count.lastAt().isBefore(settled)) {
        waiting.remove(count);
        if (relays.stream().anyMatch(Report::isCut)) {
          unjudged(count, "a relay follows more than it tells");
        } else {
          settle(count, relays.stream().anyMatch(relay -> relay.relay().equals(count.sender())));
        }
      }
    }
  }

  /** What Redis doesn't answer is asked again, until it would have settled. */
  private void askRedis(Instant settled) {
    if (fresh.isEmpty()) {
      return;
    }
    Optional<Map<String, Long>> numbers =
        subscribers.of(fresh.stream().map(Count::channel).distinct().toList());
    boolean mayMatch =
        fresh.stream().anyMatch(count -> count.kind() != Channel.Kind.DIRECT)
            && followPatterns.getAsBoolean();
    for (Count count : List.copyOf(fresh)) {
      boolean isTopic = count.kind() != Channel.Kind.DIRECT;
      if (numbers.isPresent()) {
        fresh.remove(count);
        if (numbers.get().getOrDefault(count.channel(), 0L) == 0 && !(isTopic && mayMatch)) {
          waiting.add(count);
        }
      } else if (count.lastAt().isBefore(settled)) {
        fresh.remove(count);
        unjudged(count, "Redis didn't say who is subscribed");
      }
    }
  }

  private void settle(Count count, boolean isFromRelay) {
    String name = new Channel(count.channel()).recipient().orElse(null);
    if (name == null) {
      unheard(count, "nobody follows it");
    } else if (isKnown.test(name)) {
      incidents.problem(
          Kind.LOST_AWAY,
          count.lastAt(),
          name,
          count.messages(),
          "sent by %s while %s was away".formatted(count.sender(), name));
    } else if (isFromRelay || !access.isService(count.sender())) {
      unheard(count, "nobody of that name was ever heard");
    }
  }

  private void unheard(Count count, String why) {
    incidents.problem(Kind.UNHEARD, count.lastAt(), count.channel(), count.messages(), why);
  }

  /** It isn't known whether somebody received it, which is no problem by itself. */
  private void unjudged(Count count, String why) {
    incidents.add(
        new Incident(Kind.UNJUDGED, count.lastAt(), "*", count.messages(), why, false, null));
  }

  private static boolean isFollowed(Count count, Collection<Report> relays) {
    String channel = count.channel();
    boolean isDirect = count.kind() == Channel.Kind.DIRECT; // to a name, not to a wildcard
    return relays.stream()
        .anyMatch(
            relay -> isDirect ? relay.patterns().containsKey(channel) : relay.reaches(channel));
  }
}
