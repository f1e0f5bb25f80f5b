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
import joshua.kernel.ErrorCode;
import joshua.kernel.Ids;
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
  private final Subscriptions subscriptions;
  private final PendingRequests requests = new PendingRequests();
  private final Heartbeat heartbeat;
  private final Set<Mailbox> mailboxes = ConcurrentHashMap.newKeySet();
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
    this.subscriptions = new Subscriptions(link, counters, deadLetters, envelopeLimit);
    this.heartbeat = new Heartbeat(self, this::sendAsync, detail);
  }

  /** Connects without joining: for who only looks in, says one thing and leaves, or joins later. */
  public ConversationBus openUnannounced() throws BusUnavailable, InterruptedException {
    link.open(subscriptions);
    return this;
  }

  /**
   * Connects, joins, and beats from now on.
   *
   * @throws BusUnavailable when that isn't possible now; nothing goes on in the background then
   */
  public ConversationBus open() throws BusUnavailable, InterruptedException {
    openUnannounced();
    try {
      join();
    } catch (BusUnavailable | InterruptedException e) {
      link.close();
      throw e;
    }
    return this;
  }

  /**
   * Joins once {@link #openUnannounced} has connected, and beats from now on.
   *
   * @throws BusUnavailable when that isn't possible now; it hasn't joined then
   */
  public void join() throws BusUnavailable, InterruptedException {
    awaitConfirmed(
        subscriptions.follow(heartbeat, List.of(ChannelPattern.exactly(Channel.PRESENCE))));
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
  public CompletableFuture<Sent> sendAsync(Draft draft) {
    Envelope envelope = envelope(draft);
    CompletableFuture<Sent> sent =
        Legible.fault(draft.payload())
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

  private CompletableFuture<Sent> publish(Envelope envelope) {
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

  private static CompletableFuture<Sent> refused(Refusal refusal) {
    return CompletableFuture.completedFuture(new Sent.Refused(refusal));
  }

  /** Sends, and waits for what becomes of it: a few seconds at most. */
  public Sent send(Draft draft) {
    return sendAsync(draft).join();
  }

  private Envelope envelope(Draft draft) {
    return new Envelope(
        draft.messageId().orElseGet(this::newId),
        draft.conversationId().orElseGet(this::newId),
        draft.correlationId().orElseGet(this::newId),
        time.instant(),
        draft.sender().orElse(self.name()),
        draft.recipient(),
        draft.channel(),
        draft.payload(),
        java.util.Map.of());
  }

  private UUID newId() {
    return Ids.uuid7(time);
  }

  private Refusal tooLarge(int bytes) {
    return Refusal.of(
        ErrorCode.TOO_LARGE,
        "The envelope is %d bytes, the limit is %d (JOSHUA_ENVELOPE_LIMIT). Send less, or send a reference."
            .formatted(bytes, envelopeLimit));
  }

  private static Sent sent(Envelope envelope, BusLink.Publication publication) {
    return switch (publication) {
      case BusLink.Publication.Accepted(long receivers) -> new Sent.Accepted(envelope, receivers);
      case BusLink.Publication.NotWritten(String why) -> Sent.notWritten(why);
      case BusLink.Publication.OutcomeUnknown() -> new Sent.OutcomeUnknown(envelope);
    };
  }

  /**
   * Calls {@code handler} for each message (REQ-JC-04), from the return of this method on.
   *
   * @throws BusUnavailable when Redis doesn't confirm in time; nothing is subscribed then
   */
  public Subscription subscribe(ChannelPattern pattern, MessageHandler handler)
      throws BusUnavailable, InterruptedException {
    return subscribe(List.of(pattern), handler);
  }

  /**
   * As above for several patterns, at least one; a message that matches more than one comes once.
   */
  public Subscription subscribe(Collection<ChannelPattern> patterns, MessageHandler handler)
      throws BusUnavailable, InterruptedException {
    Mailbox mailbox = new Mailbox(patterns.iterator().next().text(), handler, time);
    Subscription following = follow(mailbox, patterns);
    mailboxes.add(mailbox);
    mailbox.start();
    return () -> {
      following.close();
      mailboxes.remove(mailbox);
      mailbox.close();
    };
  }

  /** As {@link #subscribe}, for one who takes deliveries on the bus's own thread. */
  public Subscription follow(Receiver receiver, Collection<ChannelPattern> patterns)
      throws BusUnavailable, InterruptedException {
    List<ChannelPattern> followed = List.copyOf(patterns);
    try {
      awaitConfirmed(followAsync(receiver, followed));
    } catch (BusUnavailable | InterruptedException e) {
      unfollow(receiver, followed);
      throw e;
    }
    return () -> unfollow(receiver, followed);
  }

  /**
   * Follows at once; completes when Redis has confirmed every pattern. Fails with {@link
   * BusUnavailable} when Redis refuses one, or when one is given up before it was confirmed; with
   * {@link TooManyPatterns}, and follows none, when there is no room for all.
   */
  public CompletableFuture<Void> followAsync(
      Receiver receiver, Collection<ChannelPattern> patterns) {
    return subscriptions.follow(receiver, patterns);
  }

  public void unfollow(Receiver receiver, Collection<ChannelPattern> patterns) {
    subscriptions.unfollow(receiver, patterns);
  }

  /** A receiver takes other channels of these than before: {@link Receiver#takes} is asked anew. */
  public void reconsider(Collection<ChannelPattern> patterns) {
    subscriptions.reconsider(patterns);
  }

  /**
   * How many connections have subscribed to each channel by its name, in the order of the question.
   * Patterns aren't counted, nor is who listens on other nodes of a Cluster.
   *
   * @throws BusUnavailable when Redis doesn't say in time
   */
  public List<Long> listeners(List<Channel> channels) throws BusUnavailable, InterruptedException {
    return told(link.listeners(channels));
  }

  /**
   * How many different patterns are subscribed to, by anybody.
   *
   * @throws BusUnavailable when Redis doesn't say in time
   */
  public long patterns() throws BusUnavailable, InterruptedException {
    return told(link.patterns());
  }

  private static <T> T told(CompletionStage<T> answer) throws BusUnavailable, InterruptedException {
    try {
      return answer.toCompletableFuture().get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof BusUnavailable refused) {
        throw refused;
      }
      throw new CompletionException(e.getCause());
    }
  }

  /** Who of the followers here would receive what is sent on {@code channel}. */
  public List<Receiver> receiversOf(Channel channel) {
    return subscriptions.receiversOf(channel);
  }

  /**
   * How many of the subscriptions that Redis counts for a message on {@code channel} are ours and
   * give it to nobody: every follower leaves that channel out, or has just given it up.
   */
  public int unusedCopies(Channel channel) {
    return subscriptions.unusedCopies(channel);
  }

  /** Counts, from now on, the copies that Redis sends for each subscription: for a relay. */
  public CopyCounts countCopies() {
    return subscriptions.countCopies();
  }

  /**
   * Waits for what {@link #followAsync} gave.
   *
   * @throws BusUnavailable when it failed, or Redis doesn't confirm in time; what is followed by
   *     then stays followed until it is given up
   */
  public void awaitConfirmed(CompletableFuture<Void> confirmation)
      throws BusUnavailable, InterruptedException {
    try {
      confirmation.get(SUBSCRIBE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new BusUnavailable(
          "Redis at %s did not confirm a subscription within %d s."
              .formatted(link.address(), SUBSCRIBE_WITHIN.toSeconds()));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof BusUnavailable refused) {
        throw refused;
      }
      throw new CompletionException(e.getCause());
    }
  }

  /** Whether a reply may come, judged by what Redis said to the request. */
  @FunctionalInterface
  public interface ReplyExpectation {
    boolean mayBeAnswered(Sent.Accepted request) throws InterruptedException;
  }

  /** As {@link #request(Draft, Duration, ReplyExpectation)}, whoever may be there. */
  public Reply request(Draft draft, Duration deadline) throws BusUnavailable, InterruptedException {
    return request(draft, deadline, _ -> true);
  }

  /**
   * Sends, and waits for the reply on the sender's direct channel that has the same correlation id
   * (+JC-10), from the addressee of a direct message. Where a task answers, the reply is its end if
   * that comes in time, else that it is pending.
   *
   * @param deadline for all of it, from now on
   * @param expectation whether waiting makes sense
   */
  public Reply request(Draft draft, Duration deadline, ReplyExpectation expectation)
      throws BusUnavailable, InterruptedException {
    String asker = draft.sender().orElse(self.name());
    UUID correlation = draft.correlationId().orElseGet(this::newId);
    return requests.ask(this, draft.from(asker).correlation(correlation), deadline, expectation);
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
    mailboxes.forEach(Mailbox::close);
    link.close();
  }

  /** An empty {@code detail}, for participants that have nothing to add to their heartbeats. */
  public static ObjectNode noDetail() {
    return Json.object();
  }
}
