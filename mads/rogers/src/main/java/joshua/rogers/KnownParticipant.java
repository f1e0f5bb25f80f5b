package joshua.rogers;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A name on the bus with its instances, of which the best one's state is shown (wire contract §2).
 * A message that doesn't say which instance it comes from counts for the one heard last. Belongs to
 * the lock of {@link ConnectionManager}.
 */
final class KnownParticipant {
  /** Instances under one name; beyond, the one silent longest is forgotten. */
  static final int INSTANCES = 32;

  private static final String UNNAMED = "";
  private static final ToIntFunction<List<InstanceState>> UNNAMED_ALONE =
      KnownParticipant::unnamedAmong;

  private static int heardLast(List<InstanceState> instances) {
    return instances.size() - 1;
  }

  private final String name;
  // The one heard last at the end.
  private final List<InstanceState> instances;
  private Instant connectedAt;
  private Instant statusSince;
  private Instant lastMessage;
  private @Nullable ConnectionState shown;

  private KnownParticipant(ParticipantRow row, @Nullable ConnectionState shown) {
    this.name = row.madId();
    this.instances = new ArrayList<>(row.instances());
    this.connectedAt = row.connectedAt();
    this.statusSince = row.statusSince();
    this.lastMessage = row.lastHeartbeat();
    this.shown = shown;
  }

  /** One that is seen for the first time. */
  static KnownParticipant unknown(String name, Instant at) {
    ParticipantRow empty =
        new ParticipantRow(
            name, ConnectionState.DISCONNECTED, at, Instant.EPOCH, at, "", List.of());
    return new KnownParticipant(empty, null);
  }

  /** One that was there before Rogers was. */
  static KnownParticipant known(ParticipantRow row) {
    return new KnownParticipant(row, row.status());
  }

  static InstanceState best(List<InstanceState> instances) {
    InstanceState best = instances.getLast();
    for (InstanceState instanceState : instances.reversed()) {
      best = instanceState.state().compareTo(best.state()) < 0 ? instanceState : best;
    }
    return best;
  }

  String name() {
    return name;
  }

  Instant lastMessage() {
    return lastMessage;
  }

  Instant statusSince() {
    return statusSince;
  }

  /** The state of its best instance at the last look. */
  ConnectionState shown() {
    return shown == null ? ConnectionState.DISCONNECTED : shown;
  }

  /** How many instances it has beyond the first. */
  int moreInstances() {
    return Math.max(0, instances.size() - 1);
  }

  /** Forgets the instance that has been silent longest. */
  void forgetSilentLongest() {
    instances.removeFirst();
  }

  /** Whether it is gone, and hasn't been heard since the last look. */
  boolean isGone() {
    return shown == ConnectionState.DISCONNECTED && best(instances).state() == shown;
  }

  /** Some message of this name came; nothing is known of the instance. */
  void heard(Instant at) {
    change(UNNAMED, at, instanceState -> instanceState.heard(at));
  }

  /** A {@code join} of an instance. */
  void join(String instance, Instant at) {
    change(instance, at, instanceState -> instanceState.heard(at));
  }

  /** A heartbeat; what beats without an instance is an instance of its own. */
  void beat(String instance, HeartbeatReport heartbeatReport, Instant at) {
    change(
        instance,
        find(instance, UNNAMED_ALONE),
        at,
        instanceState -> instanceState.beat(heartbeatReport, at));
  }

  /**
   * A {@code leave}, which says nothing of other instances, nor for one that isn't known. Without
   * an instance it ends only what was heard without one.
   */
  void leave(String instance, String reason, Instant at) {
    lastMessage = later(lastMessage, at);
    int place = instances.isEmpty() ? 0 : find(instance, UNNAMED_ALONE);
    if (instances.isEmpty()) {
      instances.add(InstanceState.heardFirst(instance, at).leave(reason, at));
    } else if (place >= 0) {
      instances.set(place, instances.get(place).leave(reason, at));
      if (instances.size() > 1) {
        instances.remove(place);
      }
    }
  }

  private void change(String instance, Instant at, UnaryOperator<InstanceState> event) {
    change(instance, find(instance, KnownParticipant::heardLast), at, event);
  }

  private void change(String instance, int place, Instant at, UnaryOperator<InstanceState> event) {
    lastMessage = later(lastMessage, at);
    InstanceState instanceState =
        event.apply(place >= 0 ? instances.remove(place) : InstanceState.heardFirst(instance, at));
    instances.add(
        instanceState.instance().isEmpty() ? instanceState.called(instance) : instanceState);
    if (instances.size() > INSTANCES) {
      instances.removeFirst();
    }
  }

  /**
   * Where an instance stands: one that is named for the first time may be the one that was heard
   * without a name and never beat.
   *
   * @param unnamed where what doesn't say its instance stands
   */
  private int find(String instance, ToIntFunction<List<InstanceState>> unnamed) {
    if (instance.equals(UNNAMED)) {
      return unnamed.applyAsInt(instances);
    }
    for (int i = 0; i < instances.size(); i++) {
      if (instances.get(i).instance().equals(instance)) {
        return i;
      }
    }
    int heard = UNNAMED_ALONE.applyAsInt(instances);
    return heard >= 0 && instances.get(heard).beat().isEmpty() ? heard : -1;
  }

  private static int unnamedAmong(List<InstanceState> instances) {
    for (int i = 0; i < instances.size(); i++) {
      if (instances.get(i).instance().equals(UNNAMED)) {
        return i;
      }
    }
    return -1;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** Lets time work on all instances, and tells whether the state that is shown has changed. */
  @SuppressWarnings("ReferenceEquality") // Whether it is the very instance, not one like it.
  Optional<StateChange> look(Instant now, ObservationWindow observationWindow) {
    instances.replaceAll(instanceState -> instanceState.at(now, observationWindow));
    InstanceState best = best(instances);
    if (instances.size() > 1) {
      instances.removeIf(instanceState ->
          instanceState != best && instanceState.state() == ConnectionState.DISCONNECTED);
    }
    if (best.state() == shown) {
      return Optional.empty();
    }
    Optional<ConnectionState> before = Optional.ofNullable(shown);
    if (shown == null || shown == ConnectionState.DISCONNECTED) {
      connectedAt = now;
    }
    shown = best.state();
    statusSince = now;
    return Optional.of(new StateChange(now, name, before, shown, why(now, observationWindow)));
  }

  /** How it is seen now. */
  ParticipantRow row(Instant now, ObservationWindow observationWindow) {
    return new ParticipantRow(
        name,
        best(instances).state(),
        connectedAt,
        lastMessage,
        statusSince,
        why(now, observationWindow),
        List.copyOf(instances));
  }

  private String why(Instant now, ObservationWindow observationWindow) {
    String why = best(instances).why(now, observationWindow);
    return instances.size() == 1 ? why : "%s; the best of %d".formatted(why, instances.size());
  }
}
