package joshua.grace.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import joshua.conversation.envelope.ChannelPattern;
import joshua.grace.queue.ClientQueues.Leaver;
import org.jspecify.annotations.Nullable;

/**
 * Which clients are there: who collects its messages now, and who has been silent so long that it
 * counts as having left. Silence is measured on the monotonic clock.
 */
public final class ClientActivity {
  private static final Duration PRESENT_AFTER_POLL = Duration.ofSeconds(30);
  private static final Duration GONE_WITHOUT_SOCKET = Duration.ofSeconds(30);
  private static final Duration GONE_WITHOUT_CALL = Duration.ofMinutes(2);

  /**
   * A participant as far as its queue tells.
   *
   * @param present whether it polls now or did so a moment ago
   * @param follows whether the channel asked about goes into its queue
   * @param waiting messages in its queue
   */
  public record Standing(
      boolean present, boolean follows, int waiting, Optional<Instant> lastPollAt) {}

  private final ClientQueues queues;

  public ClientActivity(ClientQueues queues) {
    this.queues = queues;
  }

  /** A client has made a call. Returns whether it is to be announced again. */
  public boolean called(String clientId) {
    ClientQueue queue = queues.queueOf(clientId);
    if (queue == null) {
      return false;
    }
    queue.called(queues.nanoTime.getAsLong());
    if (queue.isAnnounced()) {
      return false;
    }
    return queues.locked(() -> {
      boolean came = !queue.isAnnounced() && !queue.isGone();
      queue.setAnnounced(true);
      return came;
    });
  }

  /** How the participant of a name stands, if it has a queue here. */
  public Optional<Standing> standing(String clientId, String channel) {
    if (queues.queueOf(clientId) == null) {
      return Optional.empty();
    }
    return queues.locked(() ->
        Optional.ofNullable(queues.queueOf(clientId))
            .map(queue ->
                new Standing(
                    isPresent(queue),
                    queue.follows(channel),
                    queue.size(),
                    Optional.ofNullable(queue.lastPollAt()))));
  }

  /** The clients that have become silent; they keep their queues. */
  public List<Leaver> becameSilent() {
    List<Leaver> silent = new ArrayList<>();
    long now = queues.nanoTime.getAsLong();
    return queues.locked(() -> {
      for (ClientQueue queue : queues.all()) {
        long silence = now - queue.lastCall();
        boolean lost = queue.hasLostItsSocket() && silence > GONE_WITHOUT_SOCKET.toNanos();
        boolean quiet = queue.openPolls() == 0 && silence > GONE_WITHOUT_CALL.toNanos();
        if (queue.isAnnounced() && (lost || quiet)) {
          queue.setAnnounced(false);
          silent.add(
              new Leaver(
                  queue.clientId(),
                  lost
                      ? "its socket closed and it hasn't come back"
                      : "no call for %d s".formatted(GONE_WITHOUT_CALL.toSeconds())));
        }
      }
      return silent;
    });
  }

  /**
   * A client as it is seen from outside.
   *
   * @param state present, queued or silent
   * @param oldest when the first of the messages that wait was sent; null if there is none
   * @param newest the same of the last
   * @param lastPollAt null if it hasn't polled yet
   */
  public record ClientView(
      String clientId,
      String state,
      int waiting,
      @Nullable Instant oldest,
      @Nullable Instant newest,
      @Nullable Instant lastPollAt,
      @Nullable Loss gap,
      List<String> topics) {}

  /** All clients that have a queue, by name. */
  public List<ClientView> views() {
    return queues.locked(() ->
        queues.all().stream()
            .map(this::view)
            .sorted(Comparator.comparing(ClientView::clientId))
            .toList());
  }

  /** A client, if it has a queue. */
  public Optional<ClientView> view(String clientId) {
    return queues.locked(() -> Optional.ofNullable(queues.queueOf(clientId)).map(this::view));
  }

  private ClientView view(ClientQueue queue) {
    return new ClientView(
        queue.clientId(),
        isPresent(queue) ? "present" : queue.isAnnounced() ? "queued" : "silent",
        queue.size(),
        queue.oldest(),
        queue.newest(),
        queue.lastPollAt(),
        queue.gap().orElse(null),
        queue.topics().stream().map(ChannelPattern::text).toList());
  }

  private boolean isPresent(ClientQueue queue) {
    return queue.collectsSince(queues.nanoTime.getAsLong() - PRESENT_AFTER_POLL.toNanos());
  }

  /** Whether others have been told that a client is there. */
  public boolean isAnnounced(String clientId) {
    return queues.locked(() -> {
      ClientQueue queue = queues.queueOf(clientId);
      return queue != null && queue.isAnnounced();
    });
  }

  /** Those who count as having joined. */
  public List<String> announced() {
    return queues.locked(() ->
        queues.all().stream().filter(ClientQueue::isAnnounced).map(ClientQueue::clientId).toList());
  }
}
