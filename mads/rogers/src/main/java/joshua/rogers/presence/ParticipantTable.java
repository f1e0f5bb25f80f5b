package joshua.rogers.presence;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.LogThrottle;
import joshua.rogers.tap.TrackedSender;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All names on the bus, at most {@value #NAMES}: beyond that, the one that has been gone longest is
 * forgotten, and while all are present no new one is accepted. A name that has been gone for longer
 * than the thresholds allow is forgotten as well. Guarded by the lock of {@link ConnectionManager}.
 */
public final class ParticipantTable {
  public static final int NAMES = 20_000;

  /** Rows with an unchanged state that are written in one batch. */
  static final int STIRRED_TOGETHER = 2_000;

  /** Changes that wait to be stored; beyond that, the oldest are lost to the history. */
  public static final int CHANGES = 20_000;

  /**
   * Instances beyond the first of each name, of all names together; for each further one, the
   * instance of its name that has been silent longest is forgotten.
   */
  public static final int MORE_INSTANCES = 20_000;

  /**
   * Forgotten names whose rows wait to be deleted; beyond that, a row stays until its name is
   * heard.
   */
  static final int FORGOTTEN = 20_000;

  /** How often overflow is logged: unknown senders can cause it as often as they like. */
  static final Duration TOLD_EVERY = Duration.ofMinutes(1);

  private static final Logger log = LoggerFactory.getLogger(ParticipantTable.class);

  /**
   * What is to be stored.
   *
   * @param forgotten names that are no longer known
   */
  record Batch(List<StateChange> changes, List<ParticipantRow> rows, List<String> forgotten) {
    boolean isEmpty() {
      return size() == 0;
    }

    int size() {
      return changes.size() + rows.size() + forgotten.size();
    }

    /** Its first half and the rest, in the order in which everything is written. */
    List<Batch> halves() {
      int middle = size() / 2;
      return List.of(part(0, middle), part(middle, size()));
    }

    private Batch part(int from, int to) {
      int names = changes.size() + rows.size();
      return new Batch(
          part(changes, from, to),
          part(rows, from - changes.size(), to - changes.size()),
          part(forgotten, from - names, to - names));
    }

    private static <T> List<T> part(List<T> all, int from, int to) {
      return all.subList(Math.clamp(from, 0, all.size()), Math.clamp(to, 0, all.size()));
    }
  }

  private final Map<String, KnownParticipant> attendees = new HashMap<>();
  private final Deque<KnownParticipant> goneLongest = new ArrayDeque<>();
  private final Deque<StateChange> changes = new ArrayDeque<>();
  private final Set<String> changed = new LinkedHashSet<>();
  private final Set<String> stirred = new LinkedHashSet<>();
  private final Set<String> forgotten = new LinkedHashSet<>();
  private volatile Map<ConnectionState, Integer> counts = Map.of();
  private boolean full;
  private long refused;
  private long displacedUntold;
  private final LogThrottle refusals = new LogThrottle(TOLD_EVERY, System::nanoTime);
  private final LogThrottle forgettings = new LogThrottle(TOLD_EVERY, System::nanoTime);
  private int moreInstances;

  /** How many names were in a state at the last check. For any thread. */
  int count(ConnectionState state) {
    return counts.getOrDefault(state, 0);
  }

  void restore(ParticipantRow row) {
    attendees.put(row.madId(), KnownParticipant.known(row));
  }

  /**
   * Senders heard since their last known message; of unknown ones, those recent enough not to be
   * forgotten.
   *
   * @param systemToo whether messages on {@code mad.system.*} count, which otherwise come as
   *     notices
   */
  List<PresenceNotice> news(
      List<TrackedSender> senders,
      boolean systemToo,
      Instant now,
      ObservationWindow observationWindow) {
    long forgottenMillis = now.minus(observationWindow.thresholds().forgetAfter()).toEpochMilli();
    List<PresenceNotice> news = new ArrayList<>();
    for (TrackedSender trackedSender : senders) {
      long last = systemToo ? trackedSender.lastMillis() : trackedSender.spokeMillis();
      KnownParticipant known = attendees.get(trackedSender.name());
      boolean isNew =
          known == null ? last > forgottenMillis : last > known.lastMessage().toEpochMilli();
      if (isNew && BusIdentifiers.isIdentifier(trackedSender.name())) {
        news.add(new PresenceNotice.Spoken(trackedSender.name(), Instant.ofEpochMilli(last)));
      }
    }
    return news;
  }

  void take(PresenceNotice presenceNotice) {
    KnownParticipant knownParticipant = attendee(presenceNotice.name(), presenceNotice.at());
    if (knownParticipant == null) {
      return;
    }
    int before = knownParticipant.moreInstances();
    switch (presenceNotice) {
      case PresenceNotice.Spoken(String name, Instant at) -> {
        if (at.isAfter(knownParticipant.lastMessage())) {
          knownParticipant.heard(at);
        }
      }
      case PresenceNotice.Joined(String name, String instance, Instant at) ->
          knownParticipant.join(instance, at);
      case PresenceNotice.Beaten(
              String name,
              String instance,
              HeartbeatReport heartbeatReport,
              Instant at) ->
          knownParticipant.beat(instance, heartbeatReport, at);
      case PresenceNotice.Left(String name, String instance, String reason, Instant at) ->
          knownParticipant.leave(instance, reason, at);
    }
    moreInstances += knownParticipant.moreInstances() - before;
    if (moreInstances > MORE_INSTANCES) {
      knownParticipant.forgetSilentLongest();
      moreInstances--;
    }
    stirred.add(presenceNotice.name());
  }

  private @Nullable KnownParticipant attendee(String name, Instant at) {
    KnownParticipant known = attendees.get(name);
    if (known != null) {
      return known;
    }
    if (attendees.size() >= NAMES && !makeRoom(at)) {
      refused++;
      return null;
    }
    KnownParticipant unknown = KnownParticipant.unknown(name, at);
    attendees.put(name, unknown);
    forgotten.remove(name);
    return unknown;
  }

  private boolean makeRoom(Instant at) {
    if (goneLongest.isEmpty() && !full) {
      attendees.values().stream()
          .filter(KnownParticipant::isGone)
          .sorted(Comparator.comparing(KnownParticipant::statusSince))
          .forEach(goneLongest::add);
      // Searching all of them again for the next name would find nothing until the next check.
      full = true;
    }
    KnownParticipant oldest = goneLongest.poll();
    while (oldest != null && !oldest.isGone()) {
      oldest = goneLongest.poll();
    }
    if (oldest == null) {
      return false;
    }
    attendees.remove(oldest.name());
    moreInstances -= oldest.moreInstances();
    displacedUntold++;
    forget(
        oldest.name(),
        at,
        "forgotten: more than %d names were seen, and it was gone longest".formatted(NAMES));
    return true;
  }

  private void forget(String name, Instant at, String why) {
    changed.remove(name);
    stirred.remove(name);
    forget(name);
    add(
        new StateChange(
            at,
            name,
            Optional.of(ConnectionState.DISCONNECTED),
            ConnectionState.DISCONNECTED,
            why));
  }

  private void forget(String name) {
    if (forgotten.size() < FORGOTTEN) {
      forgotten.add(name);
    }
  }

  private void add(StateChange change) {
    if (changes.size() == CHANGES) {
      changes.removeFirst();
    }
    changes.addLast(change);
  }

  /** Applies timeouts to all participants; returns those whose state changed. */
  List<StateChange> look(Instant now, ObservationWindow observationWindow) {
    forgetGone(now, observationWindow.thresholds().forgetAfter());
    List<StateChange> news = new ArrayList<>();
    Map<ConnectionState, Integer> count = new EnumMap<>(ConnectionState.class);
    moreInstances = 0;
    for (KnownParticipant knownParticipant : attendees.values()) {
      knownParticipant
          .look(now, observationWindow)
          .ifPresent(change -> {
            news.add(change);
            add(change);
            changed.add(change.madId());
          });
      count.merge(knownParticipant.shown(), 1, Integer::sum);
      moreInstances += knownParticipant.moreInstances();
    }
    counts = count;
    full = false;
    goneLongest.clear();
    return news;
  }

  private void forgetGone(Instant now, Duration after) {
    Instant before = now.minus(after);
    attendees
        .values()
        .removeIf(knownParticipant -> {
          boolean forgets =
              knownParticipant.isGone() && knownParticipant.statusSince().isBefore(before);
          if (forgets) {
            forget(
                knownParticipant.name(),
                now,
                "forgotten: gone for more than %d h".formatted(after.toHours()));
          }
          return forgets;
        });
  }

  List<ParticipantRow> rows(Instant now, ObservationWindow observationWindow) {
    return attendees.values().stream()
        .sorted(Comparator.comparing(KnownParticipant::name))
        .map(knownParticipant -> knownParticipant.row(now, observationWindow))
        .toList();
  }

  /**
   * Takes what is to be written: all changes, and what else is due.
   *
   * @param heardToo whether to include some of the rows whose state is unchanged and that were only
   *     heard, and those of silent participants, whose reason states for how long
   */
  Batch takeBatch(Instant now, ObservationWindow observationWindow, boolean heardToo) {
    List<ParticipantRow> rows = new ArrayList<>();
    changed.forEach(name -> addRow(rows, name, now, observationWindow));
    if (heardToo) {
      attendees.values().stream()
          .filter(knownParticipant -> knownParticipant.shown() == ConnectionState.STALE)
          .forEach(knownParticipant -> stirred.add(knownParticipant.name()));
      stirred.removeAll(changed);
      Iterator<String> some = stirred.iterator();
      for (int i = 0; i < STIRRED_TOGETHER && some.hasNext(); i++) {
        addRow(rows, some.next(), now, observationWindow);
        some.remove();
      }
    }
    report();
    Batch batch = new Batch(List.copyOf(changes), rows, List.copyOf(forgotten));
    changed.clear();
    changes.clear();
    forgotten.clear();
    return batch;
  }

  private void addRow(
      List<ParticipantRow> rows, String name, Instant now, ObservationWindow observationWindow) {
    KnownParticipant knownParticipant = attendees.get(name);
    if (knownParticipant != null) {
      rows.add(knownParticipant.row(now, observationWindow));
    }
  }

  private void report() {
    if (displacedUntold > 0 && forgettings.occurred() > 0) {
      log.warn(
          "{} participants are known, and {} that were gone longest were forgotten for new ones"
              + " since the last such line",
          attendees.size(),
          displacedUntold);
      displacedUntold = 0;
    }
    if (refused > 0 && refusals.occurred() > 0) {
      log.warn(
          "{} participants are known, which is the most, and none of them is gone: {} notices of"
              + " further participants were left out since the last such line",
          NAMES,
          refused);
      refused = 0;
    }
  }

  /** Puts back what couldn't be written. */
  void giveBack(Batch batch) {
    batch.changes().reversed().stream().limit(CHANGES - changes.size()).forEach(changes::addFirst);
    batch.rows().forEach(row -> changed.add(row.madId()));
    batch.forgotten().stream().filter(name -> !attendees.containsKey(name)).forEach(this::forget);
  }
}
