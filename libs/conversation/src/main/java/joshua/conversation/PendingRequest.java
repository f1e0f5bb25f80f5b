package joshua.conversation;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request that awaits its reply on the asker's direct channel. The notice that a task is pending
 * isn't a reply yet if the task's end comes in time. Bodies are handed over as bytes and parsed
 * again by the waiting thread: a tree may take fifty times as much.
 */
final class PendingRequest implements MessageReceiver {
  /** No message has this id. */
  private static final UUID NONE_ANY_MORE = new UUID(0, 0);

  private final UUID correlation;
  private final String asker;
  private final Optional<String> addressee;
  private final Consumer<PendingRequest> taken;
  private final Channel channel;
  private final AtomicReference<@Nullable UUID> acknowledgement = new AtomicReference<>();
  private final AtomicReference<@Nullable UUID> reply = new AtomicReference<>();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private volatile byte @Nullable [] acknowledged;
  private volatile @Nullable Gap gap;

  /**
   * Creates a request.
   *
   * @param addressee the only participant that may reply; if empty, any except the asker
   * @param taken notified of this request before a message's body is handed over
   */
  PendingRequest(
      UUID correlation, String asker, Optional<String> addressee, Consumer<PendingRequest> taken) {
    this.correlation = correlation;
    this.asker = asker;
    this.addressee = addressee;
    this.taken = taken;
    this.channel = Channel.direct(asker);
  }

  UUID correlation() {
    return correlation;
  }

  String asker() {
    return asker;
  }

  /** Whether a message is its reply; called for each receiver of the message, in any order. */
  boolean takes(Envelope envelope) {
    UUID id = envelope.messageId();
    boolean takes =
        isAddressed(envelope)
            && ((isAcknowledgement(envelope) && first(acknowledgement, id)) || first(reply, id));
    if (takes) {
      taken.accept(this);
    }
    return takes;
  }

  private static boolean first(AtomicReference<@Nullable UUID> place, UUID id) {
    return place.compareAndSet(null, id) || id.equals(place.get());
  }

  private boolean isAddressed(Envelope envelope) {
    // A request to oneself comes back on the same channel and isn't a reply.
    return envelope.correlationId().equals(correlation)
        && envelope.channel().equals(channel)
        && !envelope.senderId().equals(asker)
        && addressee.map(envelope.senderId()::equals).orElse(true);
  }

  private static boolean isAcknowledgement(Envelope envelope) {
    return envelope.payload().path("status").asText().equals("pending")
        && envelope.payload().has("task_id");
  }

  @Override
  public void deliver(ReceivedMessage receivedMessage) {
    if (!takes(receivedMessage.envelope())) {
      return;
    }
    if (receivedMessage.envelope().messageId().equals(acknowledgement.get())) {
      acknowledged = receivedMessage.body();
    } else {
      body.complete(receivedMessage.body());
    }
  }

  @Override
  public void missed(Gap lost) {
    gap = lost;
  }

  /** What may have been missed while it waited. */
  Optional<Gap> gap() {
    return Optional.ofNullable(gap);
  }

  /**
   * Waits for the reply. Afterwards no message is taken for it.
   *
   * @return the acknowledgement if nothing else came; empty if nothing came
   */
  Optional<byte[]> await(Duration wait) throws InterruptedException {
    try {
      return Optional.of(body.get(wait.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return first(reply, NONE_ANY_MORE)
          ? Optional.ofNullable(acknowledged)
          : Optional.of(body.join());
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } finally {
      first(acknowledgement, NONE_ANY_MORE);
      first(reply, NONE_ANY_MORE);
    }
  }
}
