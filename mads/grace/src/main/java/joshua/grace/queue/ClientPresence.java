package joshua.grace.queue;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.Gatherers;
import joshua.conversation.BusIdentity;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.Presence;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.ChannelPattern;
import joshua.grace.queue.ClientQueues.Leaver;
import joshua.kernel.Json;
import org.jspecify.annotations.Nullable;

/**
 * The presence of clients, and what waits for them. On {@code mad.system.presence} a join is
 * announced when a client subscribes or comes back, a leave when its queue ends or it falls silent,
 * by the monotonic clock. A monitor keeps the order of announcements; sending doesn't block.
 * Watchers aren't announced.
 */
public final class ClientPresence {
  /** The prefix of names of clients that only watch, as {@code tail} does, and aren't receivers. */
  public static final String WATCHER = "tail-";

  private static final Duration GONE_WITHOUT_SOCKET = Duration.ofSeconds(30);
  private static final Duration GONE_WITHOUT_CALL = Duration.ofMinutes(2);
  private static final int ROSTER_PAGE = 500;
  private static final int MAX_NAMED = 5;

  private final ClientQueues queues;
  private final BusIdentity relay;
  private final Consumer<OutgoingMessage> send;
  private volatile boolean rosterDue;

  public ClientPresence(ClientQueues queues, BusIdentity relay, Consumer<OutgoingMessage> send) {
    this.queues = queues;
    this.relay = relay;
    this.send = send;
  }

  /** Records a call of a client, which joins if it counted as having left. */
  public void called(String clientId, String reason) {
    ClientQueue queue = queues.byClient.get(clientId);
    if (queue != null) {
      queue.called();
      if (!queue.announced) {
        join(queue, reason);
      }
    }
    if (!queues.leavers.isEmpty()) {
      announceLeft();
    }
  }

  private synchronized void join(ClientQueue queue, String reason) {
    if (!queue.announced && !queue.gone) {
      queue.announced = true;
      say(Presence.join(relay.instance(), reason), queue.clientId);
    }
  }

  /** Announces the clients that have left, but for those that have come back meanwhile. */
  public synchronized void announceLeft() {
    for (Leaver leaver; (leaver = queues.leavers.poll()) != null; ) {
      ClientQueue queue = queues.byClient.get(leaver.clientId());
      if (queue == null || !queue.announced) {
        OutgoingMessage leave = Presence.leave(relay.instance(), leaver.reason());
        leave.payload().put("away", queue != null);
        say(leave, leaver.clientId());
      }
    }
  }

  private void say(OutgoingMessage message, String clientId) {
    if (!clientId.startsWith(WATCHER)) {
      message.payload().put("via", relay.name());
      send.accept(message.from(clientId));
    }
  }

  /** Schedules a roster for a participant that has joined, and doesn't know the clients yet. */
  public void somebodyJoined() {
    rosterDue = true;
  }

  /** Announces leaves and rosters that are due; called about once a second. */
  public synchronized void tick() {
    try (var _ = queues.hold()) {
      queues.byClient.values().forEach(this::checkSilence);
    }
    announceLeft();
    if (rosterDue) {
      rosterDue = false;
      queues.byClient.values().stream()
          .filter(queue -> queue.announced && !queue.watches)
          .map(queue -> queue.clientId)
          .gather(Gatherers.windowFixed(ROSTER_PAGE))
          .forEach(this::sendRoster);
    }
  }

  private void sendRoster(List<String> clients) {
    ObjectNode roster = Json.object().put("event", "roster").put("instance", relay.instance());
    roster.set("clients", Json.mapper().valueToTree(clients));
    send.accept(OutgoingMessage.on(Channel.PRESENCE, roster));
  }

  /** A client that has become silent leaves, and keeps its queue. */
  private void checkSilence(ClientQueue queue) {
    queue.reader.expire();
    boolean lost = queue.usedBy.isClosed() && queue.silence() > GONE_WITHOUT_SOCKET.toNanos();
    boolean quiet = queue.reader.openPolls == 0 && queue.silence() > GONE_WITHOUT_CALL.toNanos();
    if (queue.announced && !queue.bell.isHeld() && (lost || quiet)) {
      queue.announced = false;
      String noCall = "no call for %d s".formatted(GONE_WITHOUT_CALL.toSeconds());
      String reason = lost ? "its socket closed and it hasn't come back" : noCall;
      queues.leavers.add(new Leaver(queue.clientId, reason));
    }
  }

  /** The state of an addressee, if the channel's messages go into its queue here. */
  public Optional<AddresseeState> addressee(String clientId, String channel) {
    ClientQueue queue = queues.byClient.get(clientId);
    if (queue == null || !queues.topics().route(channel).contains(queue)) {
      return Optional.empty();
    }
    try (var _ = queues.hold()) {
      QueueReader reader = queue.reader;
      Boolean wakes = (queue.bell.isHeld() && reader.openPolls == 0) ? true : null;
      return Optional.of(
          AddresseeState.here(reader.isPresent(), reader.lastPollAt, queue.unread(), wakes));
    }
  }

  /**
   * A client as it is seen from outside: present, queued or away. Its waiting messages are those
   * that no answer has given, {@code oldest} is when the first of them was sent, and {@code wakes}
   * says that a program waits that wakes it.
   */
  public record ClientView(
      String clientId,
      String state,
      int waiting,
      @Nullable Instant oldest,
      @Nullable Instant lastPollAt,
      @Nullable Boolean wakes,
      @JsonIgnore boolean isTold,
      @Nullable Loss gap,
      List<String> topics) {}

  public List<ClientView> views() {
    try (var _ = queues.hold()) {
      return queues.byClient.values().stream()
          .map(ClientPresence::view)
          .sorted(Comparator.comparing(ClientView::clientId))
          .toList();
    }
  }

  public Optional<ClientView> view(String clientId) {
    try (var _ = queues.hold()) {
      return Optional.ofNullable(queues.byClient.get(clientId)).map(ClientPresence::view);
    }
  }

  private static ClientView view(ClientQueue queue) {
    return new ClientView(
        queue.clientId,
        queue.reader.isPresent() ? "present" : queue.announced ? "queued" : "away",
        queue.unread(),
        queue.bell.unread().findFirst().map(QueuedMessage::timestamp).orElse(null),
        queue.reader.lastPollAt,
        queue.bell.isHeld() ? true : null,
        queue.bell.isTelling(),
        queue.reader.gap().orElse(null),
        queue.topics.stream().map(ChannelPattern::text).toList());
  }

  /**
   * Runs a listener, under the queues' lock, at each change of a client's queue, which needn't
   * exist yet, and at once if something waits. The result ends that, without the lock: whoever runs
   * it may hold one that the listener takes.
   */
  public Runnable watch(String clientId, Runnable changed) {
    queues.watchers.compute(
        clientId,
        (_, before) -> {
          Set<Runnable> all = before == null ? ConcurrentHashMap.newKeySet() : before;
          all.add(changed);
          return all;
        });
    try (var _ = queues.hold()) {
      Optional.ofNullable(queues.byClient.get(clientId))
          .filter(queue -> !queue.messages.isEmpty() || queue.reader.gap().isPresent())
          .ifPresent(queue -> changed.run());
    }
    return () ->
        queues.watchers.computeIfPresent(
            clientId, (_, all) -> all.remove(changed) && all.isEmpty() ? null : all);
  }

  /** The queues of which something counts, with the most first, without those of watchers. */
  private Map<String, Integer> waiting(ToIntFunction<ClientQueue> number, int most) {
    try (var _ = queues.hold()) {
      Map<String, Integer> waiting = new LinkedHashMap<>();
      queues.byClient.values().stream()
          .filter(queue -> number.applyAsInt(queue) > 0 && !queue.watches)
          .sorted(Comparator.comparingInt(number).reversed())
          .limit(most)
          .forEach(queue -> waiting.put(queue.clientId, number.applyAsInt(queue)));
      return waiting;
    }
  }

  /** How many messages wait for clients, for those with most first. */
  public Map<String, Integer> unread(int most) {
    return waiting(ClientQueue::unread, most);
  }

  /** What would be lost if the relay ended now, in words; empty where that is nothing. */
  public Optional<String> unread() {
    Map<String, Integer> unread = waiting(ClientQueue::notKept, Integer.MAX_VALUE);
    int messages = unread.values().stream().mapToInt(each -> each).sum();
    String waits = messages == 1 ? "1 message waits" : messages + " messages wait";
    List<String> names = unread.keySet().stream().limit(MAX_NAMED).toList();
    int others = unread.size() - names.size();
    String more = others == 0 ? "" : " and %d others".formatted(others);
    return messages == 0
        ? Optional.empty()
        : Optional.of("%s unread for %s%s".formatted(waits, String.join(", ", names), more));
  }

  /** Reports everything that waits as lost, before the relay ends. */
  public void loseUnread() {
    try (var _ = queues.hold()) {
      queues.byClient.values().stream()
          .filter(queue -> !queue.watches)
          .forEach(queue -> queue.tellAsLost(Loss.Reason.RESTART));
    }
  }
}
