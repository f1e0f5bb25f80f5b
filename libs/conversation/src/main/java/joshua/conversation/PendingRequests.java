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

  /** Whose message was taken last: its other receivers are asked in the same turn. */
  private volatile @Nullable PendingRequest lastToTake;

  /**
   * Begins one.
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
   * @param draft with its sender and its correlation id
   */
  Reply ask(
      ConversationBus bus,
      Draft draft,
      Duration deadline,
      ConversationBus.ReplyExpectation expectation)
      throws BusUnavailable, InterruptedException {
    long end = System.nanoTime() + deadline.toNanos();
    String asker = draft.sender().orElseThrow();
    Channel channel = Channel.direct(asker);
    Optional<PendingRequest> begun =
        begin(draft.correlationId().orElseThrow(), asker, draft.channel().recipient());
    if (begun.isEmpty()) {
      return new Reply.NotSent(
          Refusal.of(
              ErrorCode.OVERLOADED,
              "%d requests await their replies already, or one with this correlation id does."
                  .formatted(LIMIT)));
    }
    PendingRequest request = begun.get();
    try (Subscription _ = bus.follow(request, List.of(ChannelPattern.exactly(channel)))) {
      return switch (bus.send(draft)) {
        case Sent.Accepted accepted -> {
          long wait = expectation.mayBeAnswered(accepted) ? end - System.nanoTime() : 0;
          yield request
              .await(Duration.ofNanos(Math.max(0, wait)))
              .<Reply>map(body -> new Reply.Answered(accepted, decoded(channel, body)))
              .orElseGet(() -> new Reply.Unanswered(accepted, request.gap()));
        }
        case Sent.Refused(Refusal refusal) -> new Reply.NotSent(refusal);
        case Sent.OutcomeUnknown unknown -> new Reply.NotSent(unknown.refusal());
      };
    } finally {
      end(request);
    }
  }

  private static Envelope decoded(Channel channel, byte[] body) {
    try {
      return EnvelopeCodec.decode(channel.name(), body);
    } catch (EnvelopeCodec.Malformed e) {
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
