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
import java.util.stream.Collectors;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.rogers.incident.Incident.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Finds participants that answer each other for ever (+RG-18): two to five who have taken turns on
 * their direct channels for forty hops, none of them sending anything else on direct or topic
 * channels, whatever the ids are.
 */
final class LoopWatch {
  private static final int HOPS = 40;
  private static final int MOST_PARTICIPANTS = 5;
  private static final int MOST_KNOWN = 10_000;
  private static final int REMEMBERED = 20;
  private static final Duration LISTED_EVERY = Duration.ofHours(1);

  /** Two agents that work well together take turns, too, but hardly as fast as this. */
  private static final Duration FAST = Duration.ofSeconds(5);

  private final Incidents incidents;
  private long messages;

  /** Whom each participant sends to, if it is one; the one that sent last is at the end. */
  private final SequencedMap<String, Sender> senders = new LinkedHashMap<>(16, 0.75f, true);

  LoopWatch(Incidents incidents) {
    this.incidents = incidents;
  }

  /** A participant that sends to another one alone. */
  private static final class Sender {
    private final String name;
    private final String recipient;
    private final Deque<Hop> lately = new ArrayDeque<>();
    private Instant lastAt = Instant.MIN;
    private long place;
    private Instant begun = Instant.MIN;
    private long hop;
    private Instant listed = Instant.MIN;

    Sender(String name, String recipient) {
      this.name = name;
      this.recipient = recipient;
    }

    /** It has sent a message, in answer to the one that {@code before} sent if that isn't null. */
    void sent(@Nullable Sender before, Instant at, int size) {
      hop = before == null ? 1 : before.hop + 1;
      begun = before == null ? at : before.begun;
      lastAt = at;
      if (before != null) {
        lately.add(new Hop(Duration.between(before.lastAt, at), size));
      }
      if (lately.size() > REMEMBERED) {
        lately.removeFirst();
      }
    }
  }

  private record Hop(Duration after, int size) {}

  /** A message has been sent. */
  void sent(Envelope envelope, int size, Instant at) {
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
      if (senders.size() > MOST_KNOWN) {
        senders.pollFirstEntry();
      }
    }
    List<Sender> circle = circle(sender);
    boolean answers = !circle.isEmpty() && circle.getLast().place >= sender.place;
    sender.place = ++messages;
    sender.sent(answers ? circle.getLast() : null, at, size);
    Instant due = at.minus(LISTED_EVERY);
    if (sender.hop >= HOPS && circle.stream().noneMatch(each -> each.listed.isAfter(due))) {
      circle.forEach(each -> each.listed = at);
      incidents.add(incident(circle, sender, at));
    }
  }

  /** From a sender over its recipients back to it; empty where that doesn't lead back. */
  private List<Sender> circle(Sender from) {
    List<Sender> circle = new ArrayList<>();
    Sender each = from;
    while (each != null && circle.size() < MOST_PARTICIPANTS) {
      circle.add(each);
      if (each.recipient.equals(from.name)) {
        return circle.size() > 1 ? circle : List.of();
      }
      each = senders.get(each.recipient);
    }
    return List.of();
  }

  private static Incident incident(List<Sender> circle, Sender last, Instant at) {
    List<Hop> hops = circle.stream().flatMap(each -> each.lately.stream()).toList();
    List<Duration> times = hops.stream().map(Hop::after).sorted().toList();
    Duration median = times.get(times.size() / 2);
    LongSummaryStatistics sizes = hops.stream().mapToLong(Hop::size).summaryStatistics();
    List<String> names = circle.stream().map(each -> each.name).toList();
    String detail =
        "may be a loop: %s, %d hops in %s, lately one each %.1f s, of %d to %d bytes"
            .formatted(
                String.join(" -> ", names) + " -> " + names.getFirst(),
                last.hop,
                text(Duration.between(last.begun, at)),
                median.toMillis() / 1_000.0,
                sizes.getMin(),
                sizes.getMax());
    return new Incident(
        Kind.LOOP,
        at,
        names.stream().sorted().collect(Collectors.joining(",")),
        last.hop,
        detail,
        median.compareTo(FAST) < 0,
        null);
  }

  private static String text(Duration duration) {
    return duration.compareTo(Duration.ofMinutes(2)) < 0
        ? duration.toSeconds() + " s"
        : duration.toMinutes() + " min";
  }
}
