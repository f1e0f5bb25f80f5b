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
 * The requests that wait for a reply, at most {@value #MAX_PENDING} (+JC-10). A reply is an
 * envelope on the asker's direct channel with the request's correlation id, from the addressee and
 * not from the asker itself. The acknowledgement of a task counts only if its result doesn't come
 * in time.
 */
public final class PendingRequests implements BusListener {
  static final int MAX_PENDING = 1_000;

  /** The time in which a monitor decides whether a reply was received. */
  private static final Duration RECENT = Duration.ofSeconds(12);

  private static final Logger log = LoggerFactory.getLogger(PendingRequests.class);

  private final Map<UUID, Request> pending = new ConcurrentHashMap<>();
  private final Map<String, Long> askers = new ConcurrentHashMap<>(); // nanoTime of the last end
  private final LongSupplier nanoTime;

  PendingRequests(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** A request that waits for its reply. */
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

    /** The reply, or else the acknowledgement; nothing is accepted after this. */
    private @Nullable Envelope takenSoFar() {
      return reply.cancel(false) ? acknowledgement.getNow(null) : reply.join();
    }

    /**
     * Waits for the reply; then the acknowledgement counts, if there is one. An interrupted thread
     * still gets what was accepted, since nobody else will.
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
   * @param addressee the only one who may reply; empty for anybody
   * @return null where too many are pending, or one with this correlation id is
   */
  @Nullable Request begin(
      UUID correlation, UUID conversation, String asker, Optional<String> addressee) {
    Request request = new Request(asker, addressee, conversation);
    boolean waits =
        pending.size() < MAX_PENDING && pending.putIfAbsent(correlation, request) == null;
    return waits ? request : null;
  }

  /** The askers of pending and recent requests, whose replies need no subscription. */
  public Set<String> askers() {
    long now = nanoTime.getAsLong();
    askers.values().removeIf(ended -> now - ended > RECENT.toNanos());
    Set<String> all = new HashSet<>(askers.keySet());
    pending.values().forEach(request -> all.add(request.asker));
    return all;
  }

  /** Notes a page that a relay gives a participant; one that isn't empty replaces the last. */
  public void delivered(String participant, Stream<byte[]> page) {
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
   * The requests that a message without ids may answer, since its sender has just read them:
   * correlation id to conversation id.
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

  /** Whether no request is pending. */
  public boolean isEmpty() {
    return pending.isEmpty();
  }

  @Override
  public void onMessage(String channel, byte[] body) {
    EnvelopeCodec.tryDecode(channel, body).ifPresent(this::offer);
  }

  /** Ends all waiting; each request gets what was accepted so far. */
  public void completeAll() {
    pending.values().forEach(request -> request.reply.cancel(false));
  }

  /** Marks all pending requests: their reply may have been missed. */
  @Override
  public void onGap(Gap gap) {
    pending.values().forEach(request -> request.gap = gap);
  }

  /** Offers a received message; true if it was accepted as a reply. */
  public boolean offer(Envelope envelope) {
    Request request = pending.get(envelope.correlationId());
    return request != null && request.take(envelope);
  }
}
