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
import java.util.stream.Collectors;
import joshua.conversation.envelope.Channel;
import joshua.rogers.count.Count;
import joshua.rogers.presence.PresenceMessage.Beat;
import joshua.rogers.presence.PresenceMessage.Join;
import joshua.rogers.presence.PresenceMessage.Leave;
import joshua.rogers.presence.PresenceMessage.Roster;
import joshua.rogers.presence.Standing.State;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is on the bus, in which state, and why (REQ-RG-14). Rogers looks about once a second; silence
 * counts only while it is subscribed and awake. Owned by the one thread that looks.
 */
public final class Registry {
  private static final int MOST_NAMES = 20_000;

  /** That may wait for the database. */
  private static final int MOST_CHANGES = 10_000;

  private static final Set<String> PRESENCE_CHANNELS =
      Set.of(Channel.HEARTBEAT.name(), Channel.PRESENCE.name());
  private static final Duration AWAKE = Duration.ofSeconds(5);
  private static final Duration FORGOTTEN_AFTER = Duration.ofDays(7);
  private static final Logger log = LoggerFactory.getLogger(Registry.class);

  /** How long a participant may be silent. */
  public record Thresholds(Duration staleAfter, Duration disconnectedAfter) {
    public static final Thresholds CONTRACT =
        new Thresholds(Duration.ofSeconds(30), Duration.ofSeconds(120));
  }

  /** A state that has changed. */
  public record Change(
      Instant at, String name, @Nullable State before, Standing standing, String why) {}

  /**
   * What has become different, and isn't stored.
   *
   * @param rows of those whose row isn't as it was
   * @param forgotten their names
   */
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

  /**
   * A registry.
   *
   * @param known as they are stored
   * @param now since when Rogers is subscribed
   */
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
    Set<String> names = messages.stream().map(PresenceMessage::name).collect(Collectors.toSet());
    counts.forEach(count -> names.add(count.sender()));
    makeRoom(names, now);
    messages.forEach(message -> participant(message.name(), message.at())); // before mere senders
    for (Count count : counts) {
      Participant participant =
          count.namesSender() ? participant(count.sender(), count.lastAt()) : null;
      if (participant != null && !PRESENCE_CHANNELS.contains(count.channel())) {
        participant.heard(count.lastAt());
      }
    }
    for (PresenceMessage message : messages) {
      Participant participant = participant(message.name(), message.at());
      if (participant != null) {
        heard(participant, message);
      }
    }
  }

  private void heard(Participant participant, PresenceMessage message) {
    switch (message) {
      case Beat beat -> participant.beat(beat);
      case Leave leave -> participant.left(leave.instance(), leave.reason(), leave.at());
      case Join join when join.via().isPresent() ->
          participant.named(join.via().get(), join.instance(), join.at());
      case Join join -> participant.joined(join.instance(), join.at());
      case Roster roster -> {
        participant.joined(roster.instance(), roster.at());
        for (String name : roster.clients()) {
          Participant client = participant(name, roster.at());
          if (client != null) {
            client.named(roster.name(), roster.instance(), roster.at());
          }
        }
      }
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
   * Forgets those who are gone longest after some days, or if new ones need their places; for these
   * also those who never beat, the least recently heard first.
   */
  private void makeRoom(Set<String> names, Instant now) {
    long wanted = names.stream().filter(name -> !participants.containsKey(name)).count();
    long beyond = participants.size() + wanted - MOST_NAMES;
    Instant old = now.minus(FORGOTTEN_AFTER);
    List<Participant> gone =
        participants.values().stream()
            .filter(each ->
                beyond > 0
                    ? each.is(State.DISCONNECTED) || each.is(State.CONNECTED)
                    : each.is(State.DISCONNECTED) && each.lastHeard().isBefore(old))
            .sorted(
                Comparator.comparing((Participant each) -> each.is(State.CONNECTED))
                    .thenComparing(Participant::lastHeard))
            .toList();
    for (int i = 0; i < gone.size(); i++) {
      if (i < beyond
          || (gone.get(i).is(State.DISCONNECTED) && gone.get(i).lastHeard().isBefore(old))) {
        participants.remove(gone.get(i).name());
        touched.add(gone.get(i).name());
        full = false;
      }
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
    return news(when);
  }

  private News news(Observation when) {
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
