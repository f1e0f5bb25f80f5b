package joshua.rogers.incident;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.rogers.incident.Incident.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Detects participants that answer each other endlessly (+RG-18): two to five that have taken turns
 * on their direct channels for forty hops, none of them sending anything else on direct or topic
 * channels. Ids don't count, since agents may make new ones for each message.
 */
final class LoopDetector {
  private static final int MIN_HOPS = 40;
  private static final int MAX_PARTICIPANTS = 5;
  private static final int MAX_SENDERS = 10_000;
  private static final int MAX_RECENT_HOPS = 20;
  private static final Duration REPORT_INTERVAL = Duration.ofHours(1);

  /** Two agents that work well together take turns, too, but hardly as fast as this. */
  private static final Duration FAST_HOP = Duration.ofSeconds(5);

  private final PendingIncidents incidents;
  private final Predicate<String> isService;
  private long messages;

  /** Participants that send to a single other one, by name; the last sender is at the end. */
  private final SequencedMap<String, Sender> senders = new LinkedHashMap<>(16, 0.75f, true);

  /** Services among themselves, as a relay and an archivist, may take turns for ever. */
  LoopDetector(PendingIncidents incidents, Predicate<String> isService) {
    this.incidents = incidents;
    this.isService = isService;
  }

  /** A participant that sends to a single other one. */
  private static final class Sender {
    private final String name;
    private final String recipient;
    private final Deque<Hop> recent = new ArrayDeque<>();
    private Instant lastAt = Instant.MIN;
    private long sequence;
    private Instant startedAt = Instant.MIN;
    private long hops;
    private Instant reportedAt = Instant.MIN;

    Sender(String name, String recipient) {
      this.name = name;
      this.recipient = recipient;
    }

    /** Records a message, which answers the last one of {@code before} unless that is null. */
    void record(@Nullable Sender before, Instant at, int size) {
      hops = before == null ? 1 : before.hops + 1;
      startedAt = before == null ? at : before.startedAt;
      lastAt = at;
      if (before != null) {
        recent.add(new Hop(Duration.between(before.lastAt, at), size));
      }
      if (recent.size() > MAX_RECENT_HOPS) {
        recent.removeFirst();
      }
    }
  }

  private record Hop(Duration after, int size) {}

  /** Records a message, and adds an incident if it completes a loop. */
  void record(Envelope envelope, int size, Instant at) {
    Channel channel = envelope.channel();
    Optional<String> recipient = channel.recipient();
    if (recipient.isEmpty()) {
      if (channel.kind() == Channel.Kind.TOPIC) {
        senders.remove(envelope.senderId());
      }
      return;
    }
    Sender sender = senders.get(envelope.senderId());
    if (sender == null || !sender.recipient.equals(recipient.get())) {
      sender = new Sender(envelope.senderId(), recipient.get());
      senders.put(sender.name, sender);
      if (senders.size() > MAX_SENDERS) {
        senders.pollFirstEntry();
      }
    }
    List<Sender> cycle = cycle(sender);
    boolean answers = !cycle.isEmpty() && cycle.getLast().sequence >= sender.sequence;
    sender.sequence = ++messages;
    sender.record(answers ? cycle.getLast() : null, at, size);
    Instant due = at.minus(REPORT_INTERVAL);
    if (sender.hops >= MIN_HOPS
        && !cycle.stream().allMatch(each -> isService.test(each.name))
        && cycle.stream().noneMatch(each -> each.reportedAt.isAfter(due))) {
      cycle.forEach(each -> each.reportedAt = at);
      incidents.add(incident(cycle, sender, at));
    }
  }

  /** The cycle of recipients from a sender back to it; empty if there is none. */
  private List<Sender> cycle(Sender from) {
    List<Sender> cycle = new ArrayList<>();
    Sender each = from;
    while (each != null && cycle.size() < MAX_PARTICIPANTS) {
      cycle.add(each);
      if (each.recipient.equals(from.name)) {
        return cycle.size() > 1 ? cycle : List.of();
      }
      each = senders.get(each.recipient);
    }
    return List.of();
  }

  private static Incident incident(List<Sender> cycle, Sender last, Instant at) {
    List<Hop> hops = cycle.stream().flatMap(each -> each.recent.stream()).toList();
    List<Duration> times = hops.stream().map(Hop::after).sorted().toList();
    Duration median = times.get(times.size() / 2);
    LongSummaryStatistics sizes = hops.stream().mapToLong(Hop::size).summaryStatistics();
    List<String> names = cycle.stream().map(each -> each.name).toList();
    String detail =
        "may be a loop: %s, %d hops in %s, lately one each %.1f s, of %d to %d bytes"
            .formatted(
                String.join(" -> ", names) + " -> " + names.getFirst(),
                last.hops,
                text(Duration.between(last.startedAt, at)),
                median.toMillis() / 1_000.0,
                sizes.getMin(),
                sizes.getMax());
    return new Incident(
        Kind.LOOP,
        at,
        names.stream().sorted().collect(Collectors.joining(",")),
        last.hops,
        detail,
        median.compareTo(FAST_HOP) < 0,
        null);
  }

  private static String text(Duration duration) {
    return duration.compareTo(Duration.ofMinutes(2)) < 0
        ? duration.toSeconds() + " s"
        : duration.toMinutes() + " min";
  }
}
