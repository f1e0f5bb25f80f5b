package joshua.rogers.incident;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
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

  private static final Set<Channel.Kind> LOOKED_AT =
      Set.of(Channel.Kind.DIRECT, Channel.Kind.TOPIC, Channel.Kind.BROADCAST);

  private final Incidents incidents;
  private final Predicate<String> isKnown;
  private final Access access;
  private final Function<Collection<String>, Optional<Map<String, Long>>> subscribers;
  private final BooleanSupplier followPatterns;

  /** What was published and hasn't been looked at. */
  private final List<Count> fresh = new ArrayList<>();

  /** What nobody but a client of a relay can have received. */
  private final List<Count> waiting = new ArrayList<>();

  /**
   * A watch.
   *
   * @param isKnown whether a participant of a name has been heard
   * @param subscribers how many connections to Redis are subscribed to exactly each of some
   *     channels; empty where Redis doesn't answer
   * @param followPatterns whether some follow patterns of which nothing else is known
   */
  public UnheardWatch(
      Incidents incidents,
      Predicate<String> isKnown,
      Access access,
      Function<Collection<String>, Optional<Map<String, Long>>> subscribers,
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
      if (LOOKED_AT.contains(count.kind()) && Channel.parse(count.channel()).isPresent()) {
        all.merge(
            List.of(count.channel(), isDirect(count) ? count.sender() : ""), count, Count::plus);
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

  private static boolean isDirect(Count count) {
    return count.kind() == Channel.Kind.DIRECT;
  }

  /** Looks at what is new, and at what has waited. */
  public void look(Instant now, Collection<Report> relays) {
    Predicate<Count> isFollowed = count -> isFollowed(count, relays);
    Predicate<Count> isSettled = count -> count.lastAt().isBefore(now.minus(SETTLED));
    fresh.removeIf(isFollowed);
    if (!fresh.isEmpty()) {
      askRedis(isSettled);
    }
    waiting.removeIf(isFollowed);
    waiting.stream().filter(isSettled).forEach(count -> judge(count, relays));
    waiting.removeIf(isSettled);
  }

  /** What Redis doesn't answer is asked again, until it would have settled. */
  private void askRedis(Predicate<Count> isSettled) {
    Optional<Map<String, Long>> numbers =
        subscribers.apply(fresh.stream().map(Count::channel).distinct().toList());
    if (numbers.isEmpty()) {
      fresh.stream()
          .filter(isSettled)
          .forEach(count -> unjudged(count, "Redis didn't say who is subscribed"));
      fresh.removeIf(isSettled);
      return;
    }
    boolean mayMatch =
        !fresh.stream().allMatch(UnheardWatch::isDirect) && followPatterns.getAsBoolean();
    for (Count count : fresh) {
      if (numbers.get().getOrDefault(count.channel(), 0L) == 0 && (isDirect(count) || !mayMatch)) {
        waiting.add(count);
      }
    }
    fresh.clear();
  }

  private void judge(Count count, Collection<Report> relays) {
    String name = new Channel(count.channel()).recipient().orElse(null);
    boolean isFromRelay = relays.stream().anyMatch(relay -> relay.relay().equals(count.sender()));
    if (relays.stream().anyMatch(Report::isTruncated)) {
      unjudged(count, "a relay follows more than it tells");
    } else if (name == null) {
      unheard(count, "nobody follows it");
    } else if (isKnown.test(name)) {
      incidents.problem(
          Kind.LOST_AWAY,
          count.lastAt(),
          name,
          count.messages(),
          "sent by %s while %s was away".formatted(count.sender(), name));
    } else if (isFromRelay || !access.isService(count.sender())) {
      unheard(count, "sent by %s to a name that was never heard".formatted(count.sender()));
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
    return relays.stream()
        .anyMatch(
            relay -> // a direct message is to a name, not to a wildcard
            isDirect(count) ? relay.patterns().containsKey(channel) : relay.reaches(channel));
  }
}
