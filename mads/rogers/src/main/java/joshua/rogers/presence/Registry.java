package joshua.rogers.presence;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.Identifiers;
import joshua.rogers.count.Count;
import joshua.rogers.presence.Standing.State;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is on the bus, in which state, and why (REQ-RG-14). Rogers looks about once a second; silence
 * counts only while it is subscribed and awake. Owned by the one thread that looks.
 */
public final class Registry {
  /** Where participants say how they are. */
  public static final Set<String> CHANNELS =
      Set.of(Channel.HEARTBEAT.name(), Channel.PRESENCE.name());

  private static final int MOST_NAMES = 20_000;

  /** That may wait for the database. */
  private static final int MOST_CHANGES = 10_000;

  private static final Duration AWAKE = Duration.ofSeconds(5);
  private static final Duration FORGOTTEN_AFTER = Duration.ofDays(7);
  private static final Logger log = LoggerFactory.getLogger(Registry.class);

  /** How long a participant may be silent. */
  public record Thresholds(Duration staleAfter, Duration disconnectedAfter) {
    public static final Thresholds CONTRACT =
        new Thresholds(Duration.ofSeconds(30), Duration.ofSeconds(120));
  }

  /**
   * What somebody says of itself, or a relay of its clients, on {@code mad.system.heartbeat} and
   * {@code mad.system.presence} (wire contract §2). A member that isn't as it should be counts as
   * absent.
   *
   * @param at the receipt
   */
  public record PresenceMessage(Envelope envelope, Instant at) {
    String name() {
      return envelope.senderId();
    }
  }

  /** A state that has changed. */
  public record Change(
      Instant at, String name, @Nullable State before, Standing standing, String why) {}

  /** What isn't stored: changes, rows that are new or different, and names without a row now. */
  public record News(List<Change> changes, List<Participant.Row> rows, List<String> forgotten) {}

  private final Thresholds thresholds;

  /** Any thread may look whether a name is known. */
  private final Map<String, Participant> participants = new ConcurrentHashMap<>();

  private final Set<String> touched = new LinkedHashSet<>();
  private final List<Change> changes = new ArrayList<>();
  private Instant lastLook;
  private Instant since;
  private Instant subscribedSince;
  private volatile boolean full;

  /** A registry of those who are stored; {@code now} is since when Rogers is subscribed. */
  public Registry(Thresholds thresholds, Collection<Participant.Row> known, Instant now) {
    this.thresholds = thresholds;
    this.lastLook = now;
    this.since = now;
    this.subscribedSince = now;
    known.forEach(row -> participants.put(row.madId(), new Participant(row)));
  }

  /** Nothing was heard until now: silence counts from here. */
  public void subscribedAgain(Instant at) {
    since = at;
    subscribedSince = at;
  }

  /** Takes what was heard; the counts first, for they tell who went on after a leave. */
  public void heard(Collection<Count> counts, List<PresenceMessage> messages, Instant now) {
    Set<String> names = new LinkedHashSet<>();
    messages.forEach(message -> names.add(message.name()));
    counts.forEach(count -> names.add(count.sender()));
    makeRoom(names, now);
    // Who says how it is gets a place before mere senders.
    messages.forEach(message -> participant(message.name(), message.at()));
    for (Count count : counts) {
      Participant participant =
          count.namesSender() ? participant(count.sender(), count.lastAt()) : null;
      if (participant != null && !CHANNELS.contains(count.channel())) {
        participant.heard(count.lastAt());
      }
    }
    messages.forEach(this::heard);
  }

  private void heard(PresenceMessage message) {
    JsonNode payload = message.envelope().payload();
    Instant at = message.at();
    Participant participant = participant(message.name(), at);
    if (participant == null) {
      return;
    }
    String instance = Participant.word(payload.path("instance")).orElse("");
    if (message.envelope().channel().equals(Channel.HEARTBEAT)) {
      if (payload.path("status").isTextual()) {
        participant.beat(instance, payload, at);
      }
      return;
    }
    switch (payload.path("event").asText()) {
      case "join" ->
          Participant.word(payload.path("via"))
              .filter(Identifiers::isName)
              .ifPresentOrElse(
                  relay -> participant.named(relay, instance, at),
                  () -> participant.joined(instance, at));
      case "leave" ->
          participant.left(
              instance,
              Participant.word(payload.path("reason")).orElse("no reason"),
              payload.path("away").asBoolean(),
              at);
      case "roster" -> {
        participant.joined(instance, at);
        for (JsonNode each : payload.path("clients")) {
          boolean isName = each.isTextual() && Identifiers.isName(each.textValue());
          Participant client = isName ? participant(each.textValue(), at) : null;
          if (client != null) {
            client.named(message.name(), instance, at);
          }
        }
      }
      default -> {} // says nothing that is known here
    }
  }

  private @Nullable Participant participant(String name, Instant at) {
    Participant known = participants.get(name);
    if (known == null && participants.size() < MOST_NAMES) {
      known = new Participant(name, at);
      participants.put(name, known);
    } else if (known == null && !full) {
      full = true;
      log.warn("{} names are known, and all of them beat; others aren't listed", MOST_NAMES);
    }
    if (known != null) {
      touched.add(name);
    }
    return known;
  }

  /**
   * Forgets those who are gone for some days; or if new names need places, those who are gone
   * longest, then those who never beat, the least recently heard first.
   */
  private void makeRoom(Set<String> names, Instant now) {
    long wanted = names.stream().filter(name -> !participants.containsKey(name)).count();
    long beyond = participants.size() + wanted - MOST_NAMES;
    Instant old = now.minus(FORGOTTEN_AFTER);
    Stream<Participant> all = participants.values().stream();
    Stream<Participant> dispensable =
        beyond <= 0
            ? all.filter(each -> each.is(State.DISCONNECTED) && each.lastHeard().isBefore(old))
            : all.filter(each -> each.is(State.DISCONNECTED) || each.is(State.CONNECTED))
                .sorted(
                    Comparator.comparing((Participant each) -> each.is(State.CONNECTED))
                        .thenComparing(Participant::lastHeard))
                .limit(beyond);
    for (Participant each : dispensable.toList()) {
      participants.remove(each.name());
      touched.add(each.name());
      full = false;
    }
  }

  /** Sees how everybody stands now. */
  public News look(Instant now) {
    if (Duration.between(lastLook, now).abs().compareTo(AWAKE) > 0) {
      since = now; // Rogers slept, or the clock was set.
    }
    lastLook = now;
    Observation when = new Observation(now, since, subscribedSince, thresholds);
    for (Participant each : participants.values()) {
      Standing before = each.standing();
      Standing standing = each.at(when, participants);
      if (each.become(standing, now)) {
        State was = before == null ? null : before.state();
        changes.add(new Change(now, each.name(), was, standing, each.why(when)));
      }
      if (!standing.equals(before) || standing.state() == State.STALE) {
        touched.add(each.name()); // the row of a stale one says for how long
      }
    }
    if (changes.size() > MOST_CHANGES) {
      changes.subList(0, changes.size() - MOST_CHANGES).clear();
    }
    List<Participant.Row> rows = new ArrayList<>();
    List<String> forgotten = new ArrayList<>();
    for (String name : touched) {
      Participant participant = participants.get(name);
      if (participant == null) {
        forgotten.add(name);
      } else {
        rows.add(participant.row(when));
      }
    }
    return new News(List.copyOf(changes), rows, forgotten);
  }

  /** What the last look saw is stored. */
  public void stored() {
    touched.clear();
    changes.clear();
  }

  /** Whether a participant of a name has been heard. */
  public boolean isKnown(String name) {
    return participants.containsKey(name);
  }

  /** Whether there are participants that aren't listed, for want of room; any thread may ask. */
  public boolean isFull() {
    return full;
  }

  /** How many there are in a state. */
  public long number(State state) {
    return participants.values().stream().filter(each -> each.is(state)).count();
  }
}
