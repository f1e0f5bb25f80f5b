package joshua.rogers.presence;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A name on the bus with its instances; the state shown is that of the best one (wire contract §2).
 * A message that doesn't say which instance it comes from counts for the one heard last. Guarded by
 * the lock of {@link ConnectionManager}.
 */
public final class KnownParticipant {
  /** Instances under one name; beyond that, the one silent longest is forgotten. */
  public static final int INSTANCES = 32;

  private static final String UNNAMED = "";
  private static final ToIntFunction<List<InstanceState>> UNNAMED_ALONE =
      KnownParticipant::unnamedAmong;

  private static int heardLast(List<InstanceState> instances) {
    return instances.size() - 1;
  }

  private final String name;
  // The one heard last is at the end.
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

  /** A participant seen for the first time. */
  static KnownParticipant unknown(String name, Instant at) {
    ParticipantRow empty =
        new ParticipantRow(
            name, ConnectionState.DISCONNECTED, at, Instant.EPOCH, at, "", List.of());
    return new KnownParticipant(empty, null);
  }

  /** A participant that was stored before this run of Rogers. */
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

  /** The state of its best instance at the last check. */
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

  /** Whether it is gone, and hasn't been heard since the last check. */
  boolean isGone() {
    return shown == ConnectionState.DISCONNECTED && best(instances).state() == shown;
  }

  /** Records a message of this name whose instance is unknown. */
  void heard(Instant at) {
    change(UNNAMED, at, instanceState -> instanceState.heard(at));
  }

  /** A {@code join} of an instance. */
  void join(String instance, Instant at) {
    change(instance, at, instanceState -> instanceState.heard(at));
  }

  /** A heartbeat; heartbeats without an instance count as an instance of their own. */
  void beat(String instance, HeartbeatReport heartbeatReport, Instant at) {
    change(
        instance,
        find(instance, UNNAMED_ALONE),
        at,
        instanceState -> instanceState.beat(heartbeatReport, at));
  }

  /**
   * A {@code leave}, which doesn't affect other instances, and is ignored for an unknown one.
   * Without an instance it ends only what was heard without one.
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
   * The index of an instance: one named for the first time may be the one that was heard without a
   * name and never sent a heartbeat.
   *
   * @param unnamed finds the index for messages that don't state an instance
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

  /** Applies timeouts to all instances; returns the change if the state shown has changed. */
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

  /** The participant as it is seen now. */
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
