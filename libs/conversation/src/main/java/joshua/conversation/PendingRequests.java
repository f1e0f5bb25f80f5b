package joshua.conversation;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.kernel.Json;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests that await their reply, at most {@value #LIMIT} (+JC-10). A reply is an envelope on
 * the asker's direct channel with the request's correlation id, from the addressee and not from the
 * asker itself. That a task is pending is the reply only if its end doesn't come in time.
 */
public final class PendingRequests implements BusListener {
  static final int LIMIT = 1_000;

  /** As long as who watches the bus takes to judge a reply. */
  private static final Duration ENDED_LATELY = Duration.ofSeconds(12);

  private static final Logger log = LoggerFactory.getLogger(PendingRequests.class);

  private final Map<UUID, Request> pending = new ConcurrentHashMap<>();
  private final Map<String, Long> askers = new ConcurrentHashMap<>(); // when one's request ended
  private final LongSupplier nanoTime;

  PendingRequests(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** A request that awaits its reply. */
  static final class Request {
    private final String asker;
    private final Optional<String> addressee;
    private final UUID conversation;
    private final CompletableFuture<Envelope> reply = new CompletableFuture<>();
    private final CompletableFuture<Envelope> acknowledgement = new CompletableFuture<>();
    private volatile @Nullable Gap gap;
    private volatile boolean read; // by the addressee, in the last page that a relay gave it

    private Request(String asker, Optional<String> addressee, UUID conversation) {
      this.asker = asker;
      this.addressee = addressee;
      this.conversation = conversation;
    }

    private boolean isOpenFor(@Nullable String participant) {
      return addressee.filter(name -> name.equals(participant)).isPresent() && !reply.isDone();
    }

    private boolean take(Envelope envelope) {
      String sender = envelope.senderId();
      if (!envelope.channel().equals(Channel.direct(asker))
          || sender.equals(asker)
          || !addressee.map(sender::equals).orElse(true)) {
        return false;
      }
      boolean acknowledges =
          envelope.payload().path("status").asText().equals("pending")
              && envelope.payload().has("task_id");
      boolean taken = (acknowledges ? acknowledgement : reply).complete(envelope);
      if (taken && log.isDebugEnabled()) {
        log.debug("delivered to {} as a reply: {}", asker, envelope.ids());
      }
      return taken;
    }

    /** The reply, or else the acknowledgement; nothing more is taken from now on. */
    private @Nullable Envelope takenSoFar() {
      return reply.cancel(false) ? acknowledgement.getNow(null) : reply.join();
    }

    /**
     * The reply, or else the acknowledgement, or else that there is none. A thread that is
     * interrupted is given what has been taken, which nobody else gets.
     */
    RequestResult result(SendResult.Accepted sent, Duration wait) throws InterruptedException {
      Envelope came;
      try {
        came = reply.get(wait.toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException | CancellationException e) {
        came = takenSoFar();
      } catch (InterruptedException e) {
        came = takenSoFar();
        if (came == null) {
          throw e;
        }
        Thread.currentThread().interrupt();
      } catch (ExecutionException e) {
        throw new IllegalStateException("a reply is never exceptional", e);
      }
      return came == null
          ? new RequestResult.Unanswered(sent, Optional.ofNullable(gap))
          : new RequestResult.Answered(sent, came);
    }
  }

  /**
   * Begins a request.
   *
   * @param addressee who alone may reply; empty for anybody
   * @return null where too many wait already, or one with this correlation id does
   */
  @Nullable Request begin(
      UUID correlation, UUID conversation, String asker, Optional<String> addressee) {
    Request request = new Request(asker, addressee, conversation);
    boolean waits = pending.size() < LIMIT && pending.putIfAbsent(correlation, request) == null;
    return waits ? request : null;
  }

  /** Who has made requests lately, or waits still: their replies need no subscription. */
  public Set<String> askers() {
    long now = nanoTime.getAsLong();
    askers.values().removeIf(ended -> now - ended > ENDED_LATELY.toNanos());
    Set<String> all = new HashSet<>(askers.keySet());
    pending.values().forEach(request -> all.add(request.asker));
    return all;
  }

  /** A relay gives a participant a page of messages; not empty, or it has read the one before. */
  public void given(String participant, Stream<byte[]> page) {
    if (!isEmpty()
        && pending.values().stream().anyMatch(request -> request.isOpenFor(participant))) {
      Set<String> ids = new HashSet<>();
      page.forEach(body -> ids.add(Json.parseTrusted(body).path("correlation_id").asText()));
      pending.forEach((id, request) -> {
        if (!ids.isEmpty() && request.isOpenFor(participant)) {
          request.read = ids.contains(id.toString());
        }
      });
    }
  }

  /**
   * The requests to which a message without ids may be the reply, since its sender has just read
   * them: their conversations by their correlation ids.
   */
  public Map<UUID, UUID> answeredBy(OutgoingMessage message) {
    if (isEmpty() || message.isAnswer()) {
      return Map.of();
    }
    Map<UUID, UUID> found = new HashMap<>();
    UUID other = message.conversationId();
    pending.forEach((id, request) -> {
      if (request.read
          && request.isOpenFor(message.sender())
          && message.channel().equals(Channel.direct(request.asker))
          && (other == null || other.equals(request.conversation))) {
        found.put(id, request.conversation);
      }
    });
    return found;
  }

  void end(UUID correlation) {
    Request ended = pending.remove(correlation);
    if (ended != null) {
      askers.put(ended.asker, nanoTime.getAsLong());
    }
  }

  /** Whether no request awaits a reply, so that there is nothing to offer. */
  public boolean isEmpty() {
    return pending.isEmpty();
  }

  @Override
  public void onMessage(String channel, byte[] body) {
    EnvelopeCodec.read(channel, body).ifPresent(this::offer);
  }

  /** Ends all waiting for replies: each has what has been taken so far. */
  public void completeAll() {
    pending.values().forEach(request -> request.reply.cancel(false));
  }

  /** Tells all who wait that messages may have been missed, perhaps their reply. */
  @Override
  public void onGap(Gap gap) {
    pending.values().forEach(request -> request.gap = gap);
  }

  /** Whether a message that came is the reply to a request, and has been taken for it. */
  public boolean offer(Envelope envelope) {
    Request request = pending.get(envelope.correlationId());
    return request != null && request.take(envelope);
  }
}
