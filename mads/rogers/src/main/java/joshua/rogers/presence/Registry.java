package joshua.rogers.presence;

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
import joshua.conversation.PresenceMessage;
import joshua.rogers.count.TrafficCount;
import joshua.rogers.presence.PresenceStatus.State;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registry of participants: who is on the bus, in which state, and why (REQ-RG-14). Silence
 * counts only while Rogers is subscribed and awake. Owned by the monitor's thread.
 */
public final class Registry {
  private static final int MAX_NAMES = 20_000;

  /** Older changes are dropped if the database can't store them. */
  private static final int MAX_PENDING_CHANGES = 10_000;

  private static final Duration MAX_PAUSE = Duration.ofSeconds(5);
  private static final Duration FORGOTTEN_AFTER = Duration.ofDays(7);
  private static final Logger log = LoggerFactory.getLogger(Registry.class);

  /** The silences after which a participant is stale, and disconnected. */
  public record Thresholds(Duration staleAfter, Duration disconnectedAfter) {
    public static final Thresholds DEFAULT =
        new Thresholds(Duration.ofSeconds(30), Duration.ofSeconds(120));
  }

  /** A change of state; {@code before} is null for a new participant. */
  public record StatusChange(
      Instant at, String name, @Nullable State before, PresenceStatus status, String why) {}

  /** The unstored changes: of states, of rows, and the names of rows to delete. */
  public record Delta(
      List<StatusChange> changes, List<ParticipantState.Row> rows, List<String> forgotten) {}

  private final Thresholds thresholds;

  /** Concurrent, since any thread may call {@link #isKnown}. */
  private final Map<String, ParticipantState> participants = new ConcurrentHashMap<>();

  private final Set<String> dirty = new LinkedHashSet<>();
  private final List<StatusChange> changes = new ArrayList<>();
  private Instant lastEvaluation;
  private Instant since;
  private Instant subscribedSince;
  private volatile boolean full;

  /** A registry of stored participants; Rogers has been subscribed since {@code now}. */
  public Registry(Thresholds thresholds, Collection<ParticipantState.Row> known, Instant now) {
    this.thresholds = thresholds;
    this.lastEvaluation = now;
    this.since = now;
    this.subscribedSince = now;
    known.forEach(row -> participants.put(row.madId(), new ParticipantState(row)));
  }

  /** Makes silence count from a time, until which nothing was heard. */
  public void resubscribed(Instant at) {
    since = at;
    subscribedSince = at;
  }

  /** Takes counts, then messages, since counts show who went on after a leave. */
  public void receive(
      Collection<TrafficCount> counts, List<PresenceMessage> messages, Instant now) {
    Set<String> names = new LinkedHashSet<>();
    messages.forEach(message -> names.add(message.name()));
    counts.forEach(count -> names.add(count.sender()));
    makeRoom(names, now);
    // Those who report their presence get places before mere senders.
    messages.forEach(message -> participant(message.name(), message.at()));
    for (TrafficCount count : counts) {
      ParticipantState participant =
          count.namesSender() ? participant(count.sender(), count.lastAt()) : null;
      if (participant != null && !PresenceMessage.CHANNELS.contains(count.channel())) {
        participant.heard(count.lastAt());
      }
    }
    messages.forEach(this::receive);
  }

  private void receive(PresenceMessage message) {
    Instant at = message.at();
    String instance = message.instance();
    ParticipantState participant = participant(message.name(), at);
    if (participant == null) {
      return;
    }
    switch (message.event()) {
      case HEARTBEAT -> participant.beat(message);
      case JOIN ->
          message
              .via()
              .ifPresentOrElse(
                  relay -> participant.listedBy(relay, instance, at),
                  () -> participant.joined(instance, at));
      case LEAVE ->
          participant.left(
              instance, message.text("reason").orElse("no reason"), message.isAway(), at);
      case ROSTER -> {
        participant.joined(instance, at);
        for (String each : message.clients()) {
          ParticipantState client = participant(each, at);
          if (client != null) {
            client.listedBy(message.name(), instance, at);
          }
        }
      }
      case OTHER -> {}
    }
  }

  private @Nullable ParticipantState participant(String name, Instant at) {
    ParticipantState known = participants.get(name);
    if (known == null && participants.size() < MAX_NAMES) {
      known = new ParticipantState(name, at);
      participants.put(name, known);
    } else if (known == null && !full) {
      full = true;
      log.warn("{} names are known, and all of them beat; others aren't listed", MAX_NAMES);
    }
    if (known != null) {
      dirty.add(name);
    }
    return known;
  }

  /**
   * Forgets participants gone for some days; or if new names need places, those gone longest, then
   * those that never sent a heartbeat, the least recently heard first.
   */
  private void makeRoom(Set<String> names, Instant now) {
    long wanted = names.stream().filter(name -> !participants.containsKey(name)).count();
    long beyond = participants.size() + wanted - MAX_NAMES;
    Instant old = now.minus(FORGOTTEN_AFTER);
    Stream<ParticipantState> all = participants.values().stream();
    Stream<ParticipantState> dispensable =
        beyond <= 0
            ? all.filter(each -> each.is(State.DISCONNECTED) && each.lastHeard().isBefore(old))
            : all.filter(each -> each.is(State.DISCONNECTED) || each.is(State.CONNECTED))
                .sorted(
                    Comparator.comparing((ParticipantState each) -> each.is(State.CONNECTED))
                        .thenComparing(ParticipantState::lastHeard))
                .limit(beyond);
    for (ParticipantState each : dispensable.toList()) {
      participants.remove(each.name());
      dirty.add(each.name());
      full = false;
    }
  }

  /** Updates all states, and returns the unstored changes. */
  public Delta evaluate(Instant now) {
    if (Duration.between(lastEvaluation, now).abs().compareTo(MAX_PAUSE) > 0) {
      since = now; // Rogers slept, or the clock was set
    }
    lastEvaluation = now;
    SilenceClock clock = new SilenceClock(now, since, subscribedSince, thresholds);
    for (ParticipantState each : participants.values()) {
      PresenceStatus before = each.status();
      PresenceStatus status = each.evaluate(clock, participants);
      if (each.update(status, now)) {
        State was = before == null ? null : before.state();
        changes.add(new StatusChange(now, each.name(), was, status, each.why(clock)));
      }
      if (!status.equals(before) || status.state() == State.STALE) {
        dirty.add(each.name()); // the row of a stale one says for how long
      }
    }
    if (changes.size() > MAX_PENDING_CHANGES) {
      changes.subList(0, changes.size() - MAX_PENDING_CHANGES).clear();
    }
    List<ParticipantState.Row> rows = new ArrayList<>();
    List<String> forgotten = new ArrayList<>();
    for (String name : dirty) {
      ParticipantState participant = participants.get(name);
      if (participant == null) {
        forgotten.add(name);
      } else {
        rows.add(participant.row(clock));
      }
    }
    return new Delta(List.copyOf(changes), rows, forgotten);
  }

  /** Forgets the changes, which are stored. */
  public void clearDelta() {
    dirty.clear();
    changes.clear();
  }

  /** Whether a participant of a name has been heard. */
  public boolean isKnown(String name) {
    return participants.containsKey(name);
  }

  /** Whether there is no room for some participants; any thread may call. */
  public boolean isFull() {
    return full;
  }

  /** The number of participants in a state. */
  public long count(State state) {
    return participants.values().stream().filter(each -> each.is(state)).count();
  }
}
