package joshua.conversation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.TreeCost;

/**
 * A participant's connection to the bus (REQ-JC-01…07, +JC-10, +JC-11): it sends, subscribes, and
 * makes requests. Heartbeats and presence are automatic.
 */
public final class ConversationBus implements AutoCloseable {
  /** How long Redis may take to confirm a subscription. */
  static final Duration SUBSCRIBE_WITHIN = Duration.ofSeconds(3);

  /** How long a close waits until the leave message is written. */
  private static final Duration LEAVE_WITHIN = Duration.ofSeconds(1);

  private final Participant self;
  private final BusLink link;
  private final InstantSource time;
  private final long envelopeLimit;
  private final TrafficCounters counters;
  private final DeadLetters deadLetters;
  private final SubscriptionRouter subscriptionRouter;
  private final PendingRequests requests = new PendingRequests();
  private final Heartbeat heartbeat;
  private final Set<HandlerQueue> mailboxes = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile CompletableFuture<?> lastSent = CompletableFuture.completedFuture(null);

  /**
   * Creates a connection; {@link #open} starts it.
   *
   * @param envelopeLimit the largest envelope that is sent or accepted, in bytes
   * @param detail the {@code detail} of each heartbeat
   */
  public ConversationBus(
      Participant self,
      BusLink link,
      InstantSource time,
      long envelopeLimit,
      MeterRegistry meters,
      Supplier<ObjectNode> detail) {
    this.self = self;
    this.link = link;
    this.time = time;
    this.envelopeLimit = envelopeLimit;
    this.counters = new TrafficCounters(meters);
    this.deadLetters = new DeadLetters(time);
    this.subscriptionRouter = new SubscriptionRouter(link, counters, deadLetters, envelopeLimit);
    this.heartbeat = new Heartbeat(self, this::sendAsync, detail);
  }

  /** Connects without joining: for a caller that only reads, sends one message, or joins later. */
  public ConversationBus openUnannounced() throws BusUnavailableException, InterruptedException {
    link.open(subscriptionRouter);
    return this;
  }

  /**
   * Connects, joins, and starts sending heartbeats.
   *
   * @throws BusUnavailableException when that isn't possible now; nothing goes on in the background
   *     then
   */
  public ConversationBus open() throws BusUnavailableException, InterruptedException {
    openUnannounced();
    try {
      join();
    } catch (BusUnavailableException | InterruptedException e) {
      link.close();
      throw e;
    }
    return this;
  }

  /**
   * Joins after {@link #openUnannounced}, and starts sending heartbeats.
   *
   * @throws BusUnavailableException when that isn't possible now; it hasn't joined then
   */
  public void join() throws BusUnavailableException, InterruptedException {
    awaitConfirmed(
        subscriptionRouter.follow(heartbeat, List.of(ChannelPattern.exactly(Channel.PRESENCE))));
    heartbeat.start();
  }

  /**
   * Sends {@code leave} if it had joined; no heartbeat follows. Waits at most 1 s for the write.
   */
  public void leave() {
    heartbeat.close();
    try {
      lastSent.get(LEAVE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // The bus is unavailable: Rogers will notice the missing heartbeats instead.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public Participant self() {
    return self;
  }

  public boolean isUsable() {
    return link.isUsable();
  }

  /** The address of the bus for messages to people. */
  public String address() {
    return link.address();
  }

  public DeadLetters deadLetters() {
    return deadLetters;
  }

  /**
   * Sends in the order of calls, without waiting. Stages that depend on the result run on the
   * thread that reads Redis' replies: they mustn't block, or need an executor of their own.
   */
  public CompletableFuture<SendResult> sendAsync(OutgoingMessage outgoingMessage) {
    Envelope envelope = envelope(outgoingMessage);
    CompletableFuture<SendResult> sent =
        PayloadValidator.fault(outgoingMessage.payload())
            .map(fault -> refused(Refusal.invalidInput("payload", fault)))
            .orElseGet(() -> publish(envelope));
    // Drops the result's envelope, which would otherwise be kept until the next send.
    lastSent = sent.handle((outcome, failure) -> null);
    return sent.whenComplete((outcome, failure) -> {
      if (outcome != null) {
        counters.sent(outcome);
      }
    });
  }

  private CompletableFuture<SendResult> publish(Envelope envelope) {
    byte[] body = EnvelopeCodec.encode(envelope);
    if (body.length > envelopeLimit) {
      return refused(tooLarge(body.length));
    }
    if (!TreeCost.isBearable(body, 0, body.length)) {
      return refused(Refusal.of(ErrorCode.TOO_LARGE, "The envelope " + TreeCost.RULE + "."));
    }
    return link.publish(envelope.channel(), body)
        .thenApply(publication -> sent(envelope, publication))
        .toCompletableFuture();
  }

  private static CompletableFuture<SendResult> refused(Refusal refusal) {
    return CompletableFuture.completedFuture(new SendResult.Refused(refusal));
  }

  /** Sends, and waits for the outcome: a few seconds at most. */
  public SendResult send(OutgoingMessage outgoingMessage) {
    return sendAsync(outgoingMessage).join();
  }

  private Envelope envelope(OutgoingMessage outgoingMessage) {
    return new Envelope(
        outgoingMessage.messageId().orElseGet(this::newId),
        outgoingMessage.conversationId().orElseGet(this::newId),
        outgoingMessage.correlationId().orElseGet(this::newId),
        time.instant(),
        outgoingMessage.sender().orElse(self.name()),
        outgoingMessage.recipient(),
        outgoingMessage.channel(),
        outgoingMessage.payload(),
        java.util.Map.of());
  }

  private UUID newId() {
    return BusIdentifiers.uuid7(time);
  }

  private Refusal tooLarge(int bytes) {
    return Refusal.of(
        ErrorCode.TOO_LARGE,
        "The envelope is %d bytes, the limit is %d (JOSHUA_ENVELOPE_LIMIT). Send less, or send a reference."
            .formatted(bytes, envelopeLimit));
  }

  private static SendResult sent(Envelope envelope, BusLink.Publication publication) {
    return switch (publication) {
      case BusLink.Publication.Accepted(long receivers) ->
          new SendResult.Accepted(envelope, receivers);
      case BusLink.Publication.NotWritten(String why) -> SendResult.notWritten(why);
      case BusLink.Publication.OutcomeUnknown() -> new SendResult.OutcomeUnknown(envelope);
    };
  }

  /**
   * Calls {@code handler} for each message (REQ-JC-04) from the return of this method on.
   *
   * @throws BusUnavailableException when Redis doesn't confirm in time; nothing is subscribed then
   */
  public Subscription subscribe(ChannelPattern pattern, MessageHandler handler)
      throws BusUnavailableException, InterruptedException {
    return subscribe(List.of(pattern), handler);
  }

  /** As above for one or more patterns; a message that matches several comes once. */
  public Subscription subscribe(Collection<ChannelPattern> patterns, MessageHandler handler)
      throws BusUnavailableException, InterruptedException {
    HandlerQueue handlerQueue = new HandlerQueue(patterns.iterator().next().text(), handler, time);
    Subscription following = follow(handlerQueue, patterns);
    mailboxes.add(handlerQueue);
    handlerQueue.start();
    return () -> {
      following.close();
      mailboxes.remove(handlerQueue);
      handlerQueue.close();
    };
  }

  /** As {@link #subscribe}, for a receiver that takes deliveries on the bus's own thread. */
  public Subscription follow(MessageReceiver messageReceiver, Collection<ChannelPattern> patterns)
      throws BusUnavailableException, InterruptedException {
    List<ChannelPattern> followed = List.copyOf(patterns);
    try {
      awaitConfirmed(followAsync(messageReceiver, followed));
    } catch (BusUnavailableException | InterruptedException e) {
      unfollow(messageReceiver, followed);
      throw e;
    }
    return () -> unfollow(messageReceiver, followed);
  }

  /**
   * Follows at once; completes when Redis has confirmed every pattern. Fails with {@link
   * BusUnavailableException} when Redis refuses one, or when one is unfollowed before; with {@link
   * TooManyPatternsException}, without following any, when there is no room for all.
   */
  public CompletableFuture<Void> followAsync(
      MessageReceiver messageReceiver, Collection<ChannelPattern> patterns) {
    return subscriptionRouter.follow(messageReceiver, patterns);
  }

  public void unfollow(MessageReceiver messageReceiver, Collection<ChannelPattern> patterns) {
    subscriptionRouter.unfollow(messageReceiver, patterns);
  }

  /**
   * Re-evaluates which channels the receivers of these patterns take: {@link MessageReceiver#takes}
   * is called again.
   */
  public void reconsider(Collection<ChannelPattern> patterns) {
    subscriptionRouter.reconsider(patterns);
  }

  /**
   * How many connections have subscribed to each channel by name, in the order of {@code channels}.
   * Patterns aren't counted, nor are subscribers on other nodes of a Cluster.
   *
   * @throws BusUnavailableException when Redis doesn't answer in time
   */
  public List<Long> listeners(List<Channel> channels)
      throws BusUnavailableException, InterruptedException {
    return told(link.listeners(channels));
  }

  /**
   * How many different patterns all clients of Redis are subscribed to.
   *
   * @throws BusUnavailableException when Redis doesn't answer in time
   */
  public long patterns() throws BusUnavailableException, InterruptedException {
    return told(link.patterns());
  }

  private static <T> T told(CompletionStage<T> answer)
      throws BusUnavailableException, InterruptedException {
    try {
      return answer.toCompletableFuture().get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof BusUnavailableException refused) {
        throw refused;
      }
      throw new CompletionException(e.getCause());
    }
  }

  /** The receivers of this connection that a message on {@code channel} would reach. */
  public List<MessageReceiver> receiversOf(Channel channel) {
    return subscriptionRouter.receiversOf(channel);
  }

  /**
   * How many of the subscriptions that Redis counts for a message on {@code channel} are ours but
   * have no receiver: each follower excludes that channel, or has just unfollowed it.
   */
  public int unusedCopies(Channel channel) {
    return subscriptionRouter.unusedCopies(channel);
  }

  /** Starts counting the copies that Redis sends for each subscription, for a relay. */
  public DeliveryCounter countCopies() {
    return subscriptionRouter.countCopies();
  }

  /**
   * Waits for the result of {@link #followAsync}.
   *
   * @throws BusUnavailableException when it failed, or Redis doesn't confirm in time; the patterns
   *     stay followed until they are unfollowed
   */
  public void awaitConfirmed(CompletableFuture<Void> confirmation)
      throws BusUnavailableException, InterruptedException {
    try {
      confirmation.get(SUBSCRIBE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new BusUnavailableException(
          "Redis at %s did not confirm a subscription within %d s."
              .formatted(link.address(), SUBSCRIBE_WITHIN.toSeconds()));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof BusUnavailableException refused) {
        throw refused;
      }
      throw new CompletionException(e.getCause());
    }
  }

  /** Decides, from Redis' reply to the request, whether a reply may come. */
  @FunctionalInterface
  public interface ReplyExpectation {
    boolean mayBeAnswered(SendResult.Accepted request) throws InterruptedException;
  }

  /**
   * As {@link #request(OutgoingMessage, Duration, ReplyExpectation)}, but always waits for a reply.
   */
  public RequestOutcome request(OutgoingMessage outgoingMessage, Duration deadline)
      throws BusUnavailableException, InterruptedException {
    return request(outgoingMessage, deadline, _ -> true);
  }

  /**
   * Sends, and waits for the reply on the sender's direct channel that has the same correlation id
   * (+JC-10); to a direct message, only its recipient may reply. If a task answers, the reply is
   * its final result if that comes in time, otherwise the notice that it is pending.
   *
   * @param deadline for the whole request, from now on
   * @param expectation whether waiting makes sense
   */
  public RequestOutcome request(
      OutgoingMessage outgoingMessage, Duration deadline, ReplyExpectation expectation)
      throws BusUnavailableException, InterruptedException {
    String asker = outgoingMessage.sender().orElse(self.name());
    UUID correlation = outgoingMessage.correlationId().orElseGet(this::newId);
    return requests.ask(
        this, outgoingMessage.from(asker).correlation(correlation), deadline, expectation);
  }

  /**
   * Whether a message is taken as the reply to a request of {@code asker}: a relay that keeps a
   * queue for that client skips it.
   */
  public boolean isReply(String asker, Envelope envelope) {
    return requests.isReply(asker, envelope);
  }

  /**
   * Sends {@code leave} if it had joined, then disconnects, within 3 s. Earlier messages have been
   * written by then. All handler threads end; further calls do nothing.
   */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    leave();
    mailboxes.forEach(HandlerQueue::close);
    link.close();
  }

  /** An empty {@code detail}, for participants that add nothing to their heartbeats. */
  public static ObjectNode noDetail() {
    return Json.object();
  }
}
