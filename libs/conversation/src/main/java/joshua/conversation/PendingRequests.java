package joshua.conversation;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import org.jspecify.annotations.Nullable;

/** The requests that await a reply, by correlation id (+JC-10); at most {@value #LIMIT}. */
final class PendingRequests {
  static final int LIMIT = 10_000;

  private final Map<UUID, PendingRequest> pending = new ConcurrentHashMap<>();
  private final Semaphore places = new Semaphore(LIMIT);

  /**
   * The request that took a message last: that message's other receivers are asked in the same
   * turn.
   */
  private volatile @Nullable PendingRequest lastToTake;

  /**
   * Begins a request.
   *
   * @return empty when {@value #LIMIT} requests wait already, or one with this correlation id does
   */
  Optional<PendingRequest> begin(UUID correlation, String asker, Optional<String> addressee) {
    if (!places.tryAcquire()) {
      return Optional.empty();
    }
    PendingRequest request =
        new PendingRequest(correlation, asker, addressee, self -> lastToTake = self);
    if (pending.putIfAbsent(correlation, request) != null) {
      places.release();
      return Optional.empty();
    }
    return Optional.of(request);
  }

  void end(PendingRequest request) {
    if (pending.remove(request.correlation(), request)) {
      places.release();
    }
  }

  /**
   * Sends a request and awaits its reply; see {@link ConversationBus#request}.
   *
   * @param outgoingMessage with its sender and its correlation id
   */
  RequestOutcome ask(
      ConversationBus bus,
      OutgoingMessage outgoingMessage,
      Duration deadline,
      ConversationBus.ReplyExpectation expectation)
      throws BusUnavailableException, InterruptedException {
    long end = System.nanoTime() + deadline.toNanos();
    String asker = outgoingMessage.sender().orElseThrow();
    Channel channel = Channel.direct(asker);
    Optional<PendingRequest> begun =
        begin(
            outgoingMessage.correlationId().orElseThrow(),
            asker,
            outgoingMessage.channel().recipient());
    if (begun.isEmpty()) {
      return new RequestOutcome.NotSent(
          Refusal.of(
              ErrorCode.OVERLOADED,
              "%d requests await their replies already, or one with this correlation id does."
                  .formatted(LIMIT)));
    }
    PendingRequest request = begun.get();
    try (Subscription _ = bus.follow(request, List.of(ChannelPattern.exactly(channel)))) {
      return switch (bus.send(outgoingMessage)) {
        case SendResult.Accepted accepted -> {
          long wait = expectation.mayBeAnswered(accepted) ? end - System.nanoTime() : 0;
          yield request
              .await(Duration.ofNanos(Math.max(0, wait)))
              .<RequestOutcome>map(
                  body -> new RequestOutcome.Answered(accepted, decoded(channel, body)))
              .orElseGet(() -> new RequestOutcome.Unanswered(accepted, request.gap()));
        }
        case SendResult.Refused(Refusal refusal) -> new RequestOutcome.NotSent(refusal);
        case SendResult.OutcomeUnknown unknown -> new RequestOutcome.NotSent(unknown.refusal());
      };
    } finally {
      end(request);
    }
  }

  private static Envelope decoded(Channel channel, byte[] body) {
    try {
      return EnvelopeCodec.decode(channel.name(), body);
    } catch (EnvelopeCodec.MalformedEnvelopeException e) {
      throw new IllegalStateException("an envelope that was valid a moment ago", e);
    }
  }

  /** Whether a message is the reply to a request of {@code asker}. */
  boolean isReply(String asker, Envelope envelope) {
    return takes(pending.get(envelope.correlationId()), asker, envelope)
        || takes(lastToTake, asker, envelope);
  }

  private static boolean takes(@Nullable PendingRequest request, String asker, Envelope envelope) {
    return request != null && request.asker().equals(asker) && request.takes(envelope);
  }
}
