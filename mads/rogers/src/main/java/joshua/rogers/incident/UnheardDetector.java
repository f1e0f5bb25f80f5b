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
import joshua.rogers.count.TrafficCount;
import joshua.rogers.incident.Incident.Kind;

/**
 * Detects messages that nobody received: on topics without followers, and direct messages to
 * participants that are away or were never heard. Relays report what clients follow with a delay of
 * at most {@link #REPORT_DELAY}. A service, other than a relay, may write to a name that was never
 * heard: the caller of a tool, who has the answer from there.
 */
public final class UnheardDetector {
  private static final Duration REPORT_DELAY = Duration.ofSeconds(12);
  private static final int MAX_WAITING = 10_000;

  private static final Set<Channel.Kind> CHECKED_KINDS =
      Set.of(Channel.Kind.DIRECT, Channel.Kind.TOPIC, Channel.Kind.BROADCAST);

  private final PendingIncidents incidents;
  private final Predicate<String> isKnown;
  private final Archivists archivists;
  private final Access access;
  private final Function<Collection<String>, Optional<Map<String, Long>>> subscribers;
  private final BooleanSupplier hasUnknownPatterns;

  /** Counts that haven't been checked. */
  private final List<TrafficCount> fresh = new ArrayList<>();

  /** Counts of messages that only clients of relays can have received. */
  private final List<TrafficCount> waiting = new ArrayList<>();

  /**
   * A detector.
   *
   * @param isKnown whether a participant of a name has been heard
   * @param archivists who keep what is sent to somebody away
   * @param subscribers the number of connections to Redis that are subscribed to each of some
   *     channels, without patterns; empty where Redis doesn't answer
   * @param hasUnknownPatterns whether there are numbers to unknown patterns
   */
  public UnheardDetector(
      PendingIncidents incidents,
      Predicate<String> isKnown,
      Archivists archivists,
      Access access,
      Function<Collection<String>, Optional<Map<String, Long>>> subscribers,
      BooleanSupplier hasUnknownPatterns) {
    this.incidents = incidents;
    this.isKnown = isKnown;
    this.archivists = archivists;
    this.access = access;
    this.subscribers = subscribers;
    this.hasUnknownPatterns = hasUnknownPatterns;
  }

  /** Adds the counts of about a second. */
  public void add(List<TrafficCount> counts) {
    Map<List<String>, TrafficCount> all = new LinkedHashMap<>();
    for (TrafficCount count : counts) {
      if (CHECKED_KINDS.contains(count.kind()) && Channel.parse(count.channel()).isPresent()) {
        all.merge(
            List.of(count.channel(), isDirect(count) ? count.sender() : ""),
            count,
            TrafficCount::plus);
      }
    }
    for (TrafficCount count : all.values()) {
      if (fresh.size() + waiting.size() < MAX_WAITING) {
        fresh.add(count);
      } else {
        unjudged(count, "more channels than can be looked at");
      }
    }
  }

  private static boolean isDirect(TrafficCount count) {
    return count.kind() == Channel.Kind.DIRECT;
  }

  /** Checks the new counts, and those that have waited for reports. */
  public void check(Instant now, Collection<Report> relays) {
    Predicate<TrafficCount> isFollowed = count -> isFollowed(count, relays);
    Predicate<TrafficCount> isDue =
        count ->
            count.lastAt().isBefore(now.minus(REPORT_DELAY))
                && !(isDirect(count) && archivists.mayHaveHeard(count.lastAt(), now));
    fresh.removeIf(isFollowed);
    if (!fresh.isEmpty()) {
      askRedis(isDue);
    }
    waiting.removeIf(isFollowed);
    waiting.stream().filter(isDue).forEach(count -> judge(count, relays));
    waiting.removeIf(isDue);
  }

  /** Counts for which Redis doesn't answer stay, and are tried again until they are due. */
  private void askRedis(Predicate<TrafficCount> isDue) {
    Optional<Map<String, Long>> numbers =
        subscribers.apply(fresh.stream().map(TrafficCount::channel).distinct().toList());
    if (numbers.isEmpty()) {
      fresh.stream()
          .filter(isDue)
          .forEach(count -> unjudged(count, "Redis didn't say who is subscribed"));
      fresh.removeIf(isDue);
      return;
    }
    boolean mayMatch =
        !fresh.stream().allMatch(UnheardDetector::isDirect) && hasUnknownPatterns.getAsBoolean();
    for (TrafficCount count : fresh) {
      if (numbers.get().getOrDefault(count.channel(), 0L) == 0 && (isDirect(count) || !mayMatch)) {
        waiting.add(count);
      }
    }
    fresh.clear();
  }

  private void judge(TrafficCount count, Collection<Report> relays) {
    String name = new Channel(count.channel()).recipient().orElse(null);
    boolean isFromRelay = relays.stream().anyMatch(relay -> relay.relay().equals(count.sender()));
    if (relays.stream().anyMatch(Report::isTruncated)) {
      unjudged(count, "a relay follows more than it tells");
    } else if (isOwnTopic(count.channel())) {
      return; // who missed something asks the service
    } else if (name == null) {
      unheard(count, "nobody follows it");
    } else if (isKnown.test(name) && !access.isService(name) && archivists.heard(count.lastAt())) {
      incidents.add(
          new Incident(
              Kind.KEPT_AWAY,
              count.lastAt(),
              name,
              count.messages(),
              "sent by %s while %s was away".formatted(count.sender(), name),
              false,
              null));
    } else if (isKnown.test(name)) {
      incidents.addProblem(
          Kind.LOST_AWAY,
          count.lastAt(),
          name,
          count.messages(),
          "sent by %s while %s was away".formatted(count.sender(), name));
    } else if (isFromRelay || !access.isService(count.sender())) {
      unheard(count, "sent by %s to a name that was never heard".formatted(count.sender()));
    }
  }

  /** Whether it is a topic on which a service tells what it has: {@code mad.topic.horace.shop}. */
  private boolean isOwnTopic(String channel) {
    String topic = Channel.Kind.TOPIC.prefix();
    return channel.startsWith(topic)
        && access.isService(channel.substring(topic.length()).split("\\.", 2)[0]);
  }

  private void unheard(TrafficCount count, String why) {
    incidents.addProblem(Kind.UNHEARD, count.lastAt(), count.channel(), count.messages(), why);
  }

  /** Not knowing whether anybody received messages is no problem by itself. */
  private void unjudged(TrafficCount count, String why) {
    incidents.add(
        new Incident(Kind.UNJUDGED, count.lastAt(), "*", count.messages(), why, false, null));
  }

  /** A direct message is to a name, not to a wildcard. */
  private static boolean isFollowed(TrafficCount count, Collection<Report> relays) {
    String channel = count.channel();
    Instant published = count.lastAt();
    return relays.stream()
        .anyMatch(relay ->
            isDirect(count)
                ? relay.patterns().containsKey(channel)
                    || !relay.left().getOrDefault(channel, Instant.MIN).isBefore(published)
                : relay.reaches(channel) || relay.reached(channel, published));
  }
}
