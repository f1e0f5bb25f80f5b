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
 * A participant's connection to the bus (REQ-JC-01…07, +JC-10, +JC-11): send, subscribe, ask and
 * await the answer. Heartbeats and presence go by themselves.
 */
public final class ConversationBus implements AutoCloseable {
  /** How long a subscription may take to be confirmed. */
  static final Duration SUBSCRIBE_WITHIN = Duration.ofSeconds(3);

  /** How long a close waits for the leave to be written. */
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
   * Wires a connection; {@link #open} starts it.
   *
   * @param envelopeLimit the largest envelope that is sent, and taken for one, in bytes
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

  /** Connects without joining: for who only looks in, says one thing and leaves, or joins later. */
  public ConversationBus openUnannounced() throws BusUnavailableException, InterruptedException {
    link.open(subscriptionRouter);
    return this;
  }

  /**
   * Connects, joins, and beats from now on.
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
   * Joins once {@link #openUnannounced} has connected, and beats from now on.
   *
   * @throws BusUnavailableException when that isn't possible now; it hasn't joined then
   */
  public void join() throws BusUnavailableException, InterruptedException {
    awaitConfirmed(
        subscriptionRouter.follow(heartbeat, List.of(ChannelPattern.exactly(Channel.PRESENCE))));
    heartbeat.start();
  }

  /** Says {@code leave} if it had joined; no beat follows. Waits for its writing, 1 s at most. */
  public void leave() {
    heartbeat.close();
    try {
      lastSent.get(LEAVE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // The bus is away: Rogers will see the silence instead.
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

  /** Where the bus is, for messages to people. */
  public String address() {
    return link.address();
  }

  public DeadLetters deadLetters() {
    return deadLetters;
  }

  /**
   * Sends in the order of calls, without waiting. What depends on the result runs on the thread
   * that reads Redis' replies: it mustn't block, or is given an executor of its own.
   */
  public CompletableFuture<SendResult> sendAsync(OutgoingMessage outgoingMessage) {
    Envelope envelope = envelope(outgoingMessage);
    CompletableFuture<SendResult> sent =
        PayloadValidator.fault(outgoingMessage.payload())
            .map(fault -> refused(Refusal.invalidInput("payload", fault)))
            .orElseGet(() -> publish(envelope));
    // Without what it carries, which would be kept until the next one.
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

  /** Sends, and waits for what becomes of it: a few seconds at most. */
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
   * Calls {@code handler} for each message (REQ-JC-04), from the return of this method on.
   *
   * @throws BusUnavailableException when Redis doesn't confirm in time; nothing is subscribed then
   */
  public Subscription subscribe(ChannelPattern pattern, MessageHandler handler)
      throws BusUnavailableException, InterruptedException {
    return subscribe(List.of(pattern), handler);
  }

  /**
   * As above for several patterns, at least one; a message that matches more than one comes once.
   */
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

  /** As {@link #subscribe}, for one who takes deliveries on the bus's own thread. */
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
   * BusUnavailableException} when Redis refuses one, or when one is given up before it was
   * confirmed; with {@link TooManyPatternsException}, and follows none, when there is no room for
   * all.
   */
  public CompletableFuture<Void> followAsync(
      MessageReceiver messageReceiver, Collection<ChannelPattern> patterns) {
    return subscriptionRouter.follow(messageReceiver, patterns);
  }

  public void unfollow(MessageReceiver messageReceiver, Collection<ChannelPattern> patterns) {
    subscriptionRouter.unfollow(messageReceiver, patterns);
  }

  /**
   * A receiver takes other channels of these than before: {@link MessageReceiver#takes} is asked
   * anew.
   */
  public void reconsider(Collection<ChannelPattern> patterns) {
    subscriptionRouter.reconsider(patterns);
  }

  /**
   * How many connections have subscribed to each channel by its name, in the order of the question.
   * Patterns aren't counted, nor is who listens on other nodes of a Cluster.
   *
   * @throws BusUnavailableException when Redis doesn't say in time
   */
  public List<Long> listeners(List<Channel> channels)
      throws BusUnavailableException, InterruptedException {
    return told(link.listeners(channels));
  }

  /**
   * How many different patterns are subscribed to, by anybody.
   *
   * @throws BusUnavailableException when Redis doesn't say in time
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

  /** Who of the followers here would receive what is sent on {@code channel}. */
  public List<MessageReceiver> receiversOf(Channel channel) {
    return subscriptionRouter.receiversOf(channel);
  }

  /**
   * How many of the subscriptions that Redis counts for a message on {@code channel} are ours and
   * give it to nobody: every follower leaves that channel out, or has just given it up.
   */
  public int unusedCopies(Channel channel) {
    return subscriptionRouter.unusedCopies(channel);
  }

  /** Counts, from now on, the copies that Redis sends for each subscription: for a relay. */
  public DeliveryCounter countCopies() {
    return subscriptionRouter.countCopies();
  }

  /**
   * Waits for what {@link #followAsync} gave.
   *
   * @throws BusUnavailableException when it failed, or Redis doesn't confirm in time; what is
   *     followed by then stays followed until it is given up
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

  /** Whether a reply may come, judged by what Redis said to the request. */
  @FunctionalInterface
  public interface ReplyExpectation {
    boolean mayBeAnswered(SendResult.Accepted request) throws InterruptedException;
  }

  /** As {@link #request(OutgoingMessage, Duration, ReplyExpectation)}, whoever may be there. */
  public RequestOutcome request(OutgoingMessage outgoingMessage, Duration deadline)
      throws BusUnavailableException, InterruptedException {
    return request(outgoingMessage, deadline, _ -> true);
  }

  /**
   * Sends, and waits for the reply on the sender's direct channel that has the same correlation id
   * (+JC-10), from the addressee of a direct message. Where a task answers, the reply is its end if
   * that comes in time, else that it is pending.
   *
   * @param deadline for all of it, from now on
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
   * queue for it leaves the message out.
   */
  public boolean isReply(String asker, Envelope envelope) {
    return requests.isReply(asker, envelope);
  }

  /**
   * Says {@code leave} if it had joined, then disconnects, within 3 s. What was sent before has
   * been written by then. Every handler's thread ends; further calls do nothing.
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

  /** An empty {@code detail}, for participants that have nothing to add to their heartbeats. */
  public static ObjectNode noDetail() {
    return Json.object();
  }
}
