package joshua.grace.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import joshua.conversation.envelope.ChannelPattern;
import joshua.grace.queue.AddresseeState.State;
import joshua.grace.queue.ClientQueues.Leaver;
import org.jspecify.annotations.Nullable;

/**
 * The activity of clients: which of them collect their messages, and which have been silent so long
 * that they count as having left. Silence is measured on the monotonic clock.
 */
public record ClientActivity(ClientQueues queues) {
  /** The prefix of names of clients that only watch, as {@code tail} does, and aren't receivers. */
  public static final String WATCHER = "tail-";

  private static final Duration GONE_WITHOUT_SOCKET = Duration.ofSeconds(30);
  private static final Duration GONE_WITHOUT_CALL = Duration.ofMinutes(2);
  private static final int MAX_NAMED = 5;

  /** Records a call of a client; true if it is to be announced again. */
  public boolean called(String clientId) {
    ClientQueue queue = queues.queueOf(clientId);
    if (queue == null) {
      return false;
    }
    queue.called();
    if (queue.announced) {
      return false;
    }
    try (var _ = queues.hold()) {
      boolean came = !queue.announced && !queue.gone;
      queue.announced = true;
      return came;
    }
  }

  /** The state of an addressee, if the channel's messages go into its queue here. */
  public Optional<AddresseeState> addressee(String clientId, String channel) {
    ClientQueue queue = queues.queueOf(clientId);
    if (queue == null || !queues.topics().route(channel).contains(queue)) {
      return Optional.empty();
    }
    try (var _ = queues.hold()) {
      boolean isPresent = queue.reader.isPresent();
      boolean wakes = queue.bell.isHeld() && queue.reader.openPolls == 0;
      return Optional.of(
          new AddresseeState(
              isPresent ? State.PRESENT : State.QUEUED,
              null,
              isPresent ? null : queue.reader.lastPollAt,
              isPresent ? null : queue.unread(),
              wakes ? true : null,
              null,
              null));
    }
  }

  /** The clients that have become silent since the last call; they keep their queues. */
  public List<Leaver> becameSilent() {
    List<Leaver> silent = new ArrayList<>();
    try (var _ = queues.hold()) {
      for (ClientQueue queue : queues.all()) {
        queue.reader.expire();
        boolean lost = queue.usedBy.isClosed() && queue.silence() > GONE_WITHOUT_SOCKET.toNanos();
        boolean quiet =
            queue.reader.openPolls == 0 && queue.silence() > GONE_WITHOUT_CALL.toNanos();
        if (queue.announced && !queue.bell.isHeld() && (lost || quiet)) {
          queue.announced = false;
          String noCall = "no call for %d s".formatted(GONE_WITHOUT_CALL.toSeconds());
          silent.add(
              new Leaver(
                  queue.clientId, lost ? "its socket closed and it hasn't come back" : noCall));
        }
      }
    }
    return silent;
  }

  /**
   * A client as it is seen from outside.
   *
   * @param state present, queued or away
   * @param waiting messages that no answer has given
   * @param oldest when the first of them was sent; null if there is none
   * @param lastPollAt null if it hasn't polled yet
   * @param wakes true if a program waits that wakes it
   */
  public record ClientView(
      String clientId,
      String state,
      int waiting,
      @Nullable Instant oldest,
      @Nullable Instant lastPollAt,
      @Nullable Boolean wakes,
      @Nullable Loss gap,
      List<String> topics) {}

  /** All clients that have a queue, by name. */
  public List<ClientView> views() {
    try (var _ = queues.hold()) {
      return queues.all().stream()
          .map(ClientActivity::view)
          .sorted(Comparator.comparing(ClientView::clientId))
          .toList();
    }
  }

  /** The queues with unread messages, the longest first, without those of watchers. */
  private Stream<ClientQueue> waiting() {
    return queues.all().stream()
        .filter(queue -> queue.unread() > 0 && !queue.watches)
        .sorted(Comparator.comparingInt(ClientQueue::unread).reversed());
  }

  /** How many messages wait for clients, for those with most first. */
  public Map<String, Integer> unread(int most) {
    try (var _ = queues.hold()) {
      Map<String, Integer> unread = new LinkedHashMap<>();
      waiting().limit(most).forEach(queue -> unread.put(queue.clientId, queue.unread()));
      return unread;
    }
  }

  /** What would be lost if the relay ended now, in words; empty where nothing waits. */
  public Optional<String> unread() {
    Map<String, Integer> unread = unread(Integer.MAX_VALUE);
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
      waiting().forEach(queue -> queue.tellAsLost(Loss.Reason.RESTART));
    }
  }

  /** A client, if it has a queue. */
  public Optional<ClientView> view(String clientId) {
    try (var _ = queues.hold()) {
      return Optional.ofNullable(queues.queueOf(clientId)).map(ClientActivity::view);
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
        queue.reader.gap().orElse(null),
        queue.topics.stream().map(ChannelPattern::text).toList());
  }

  /** Whether a client counts as having joined. */
  public boolean isAnnounced(String clientId) {
    ClientQueue queue = queues.queueOf(clientId);
    return queue != null && queue.announced;
  }

  /** The clients that count as having joined. */
  public List<String> announced() {
    return queues.all().stream()
        .filter(queue -> queue.announced)
        .map(queue -> queue.clientId)
        .toList();
  }
}
