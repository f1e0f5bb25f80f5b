package joshua.conversation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.ChannelPattern;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.MonotonicIds;
import joshua.kernel.Refusal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A participant of the bus (REQ-JC-01…07, +JC-10, +JC-11): it sends, subscribes and makes requests,
 * and publishes its own presence. Thread-safe.
 */
public final class ConversationBus implements AutoCloseable {
  /** The key of the correlation id in the logging context (MDC) while a handler runs. */
  public static final String LOG_KEY = "correlation_id";

  private static final Logger log = LoggerFactory.getLogger(ConversationBus.class);
  private static final Duration TICK = Duration.ofMillis(250);
  private static final long MAX_LEAVE_MILLIS = 1_000;

  private final BusIdentity self;
  private final BusConnection connection;
  private final InstantSource time;
  private final MonotonicIds ids;
  private final Heartbeat heartbeat;
  private final PendingRequests requests = new PendingRequests(System::nanoTime);
  private final Deque<Subscription> subscriptions = new ConcurrentLinkedDeque<>(); // latest first
  private final AtomicBoolean closed = new AtomicBoolean();

  /** A participant that has yet to {@link #join}; {@code detail} is sent in its heartbeats. */
  public ConversationBus(
      BusConnection connection, BusIdentity self, InstantSource time, ObjectNode detail) {
    this.self = self;
    this.connection = connection;
    this.time = time;
    this.ids = new MonotonicIds(time);
    this.heartbeat =
        new Heartbeat(self, this::sendAsync, detail, connection.timing(), System::nanoTime);
  }

  /**
   * A participant that has joined over a connection of its own.
   *
   * @throws BusUnavailableException where that isn't possible now; nothing is left running then
   */
  public static ConversationBus connectAndJoin(
      BusTransport.Connector connector, Timing timing, BusIdentity self, InstantSource time)
      throws BusUnavailableException, InterruptedException {
    BusConnection connection = new BusConnection(connector, timing);
    ConversationBus bus = new ConversationBus(connection, self, time, Json.object());
    bus.subscriptions.push(connection::close);
    try {
      bus.join();
      return bus;
    } catch (BusUnavailableException | InterruptedException e) {
      bus.close();
      throw e;
    }
  }

  /**
   * Announces the participant, and keeps its presence alive.
   *
   * @throws BusUnavailableException where that isn't possible now; it hasn't joined then
   */
  public void join() throws BusUnavailableException, InterruptedException {
    subscriptions.push(connection.follow(ChannelPattern.exactly(Channel.PRESENCE), heartbeat));
    heartbeat.start().join();
    ScheduledFuture<?> beating = connection.every(TICK, heartbeat::tick);
    subscriptions.push(() -> beating.cancel(false));
  }

  public BusIdentity self() {
    return self;
  }

  public BusConnection connection() {
    return connection;
  }

  /** The requests without a reply; a relay offers them the messages that it receives. */
  public PendingRequests requests() {
    return requests;
  }

  /**
   * Sends without blocking; messages reach Redis in the order of calls. Stages that depend on the
   * result run on the thread that reads Redis' replies, so they must not block.
   */
  public CompletableFuture<SendResult> sendAsync(OutgoingMessage message) {
    Envelope envelope = envelope(message);
    byte[] body;
    try {
      body = EnvelopeCodec.encode(envelope);
    } catch (IllegalArgumentException e) {
      return refused(ErrorCode.INVALID_INPUT, String.valueOf(e.getMessage()));
    }
    if (body.length > EnvelopeCodec.MAX_BYTES) {
      return refused(
          ErrorCode.TOO_LARGE,
          "The envelope would be %d bytes, and %d is the most. Send less, or where to find it."
              .formatted(body.length, EnvelopeCodec.MAX_BYTES));
    }
    if (log.isDebugEnabled()) {
      log.debug("sent: {}", envelope.ids());
    }
    return connection.transport().publish(envelope, body);
  }

  private static CompletableFuture<SendResult> refused(ErrorCode code, String why) {
    return CompletableFuture.completedFuture(new SendResult.Refused(Refusal.of(code, why)));
  }

  /** Sends, and waits for the outcome: a few seconds at most. */
  public SendResult send(OutgoingMessage message) {
    return sendAsync(message).join();
  }

  private Envelope envelope(OutgoingMessage message) {
    return new Envelope(
        orNewId(message.messageId()),
        orNewId(message.conversationId()),
        orNewId(message.correlationId()),
        time.instant(),
        senderOf(message),
        Optional.ofNullable(message.recipient()),
        message.channel(),
        message.payload(),
        Map.of());
  }

  private String senderOf(OutgoingMessage message) {
    return message.sender() == null ? self.name() : message.sender();
  }

  private UUID orNewId(@Nullable UUID id) {
    return id == null ? ids.next() : id;
  }

  /**
   * Calls a handler for each message (REQ-JC-04) from the return of this method on, except for
   * those that aren't envelopes.
   *
   * @throws BusUnavailableException where Redis doesn't confirm in time; nothing is subscribed then
   */
  public Subscription subscribe(ChannelPattern pattern, MessageHandler handler)
      throws BusUnavailableException, InterruptedException {
    return subscribe(pattern, handler, null);
  }

  /**
   * As {@link #subscribe} to the participant's own channel; before its messages the handler gets
   * those that the archivist kept while the participant was away, oldest first. They are collected
   * a page at a time when they have been handled, so that a page may come again after a crash.
   */
  public Subscription catchUp(MessageHandler handler)
      throws BusUnavailableException, InterruptedException {
    return subscribe(
        ChannelPattern.exactly(Channel.direct(self.name())), handler, new KeptMail(this));
  }

  private Subscription subscribe(
      ChannelPattern pattern, MessageHandler handler, @Nullable KeptMail kept)
      throws BusUnavailableException, InterruptedException {
    HandlerQueue queue = new HandlerQueue(self.name(), handler, time, kept);
    Subscription following = connection.follow(pattern, queue);
    queue.start();
    return closedWithBus(() -> {
      following.close();
      queue.close();
    });
  }

  /** As {@link #subscribe}, for undecoded messages on the receiving thread. */
  public Subscription follow(ChannelPattern pattern, BusListener listener)
      throws BusUnavailableException, InterruptedException {
    return closedWithBus(connection.follow(pattern, listener));
  }

  private Subscription closedWithBus(Subscription subscription) {
    subscriptions.push(subscription);
    return () -> {
      subscriptions.remove(subscription);
      subscription.close();
    };
  }

  /**
   * Sends, and waits for the reply on the sender's direct channel that has the same correlation id
   * (+JC-10); to a direct message only its recipient may reply. Where the answer is a task, the
   * reply is its result if that comes in time, and else the acknowledgement.
   *
   * @param deadline for sending and waiting together
   * @throws BusUnavailableException where replies can't be received at present
   */
  public RequestResult request(OutgoingMessage message, Duration deadline)
      throws BusUnavailableException, InterruptedException {
    Channel replies = Channel.direct(senderOf(message));
    Subscription following = connection.follow(ChannelPattern.exactly(replies), requests);
    try {
      return relayRequest(message, deadline, accepted -> accepted.receivers() > 0);
    } finally {
      following.close();
    }
  }

  /**
   * As {@link #request}, for a relay, which receives everything and offers replies to {@link
   * #requests}.
   *
   * @param isHeard whether anybody received the request; otherwise no reply is awaited
   */
  public RequestResult relayRequest(
      OutgoingMessage message, Duration deadline, Predicate<SendResult.Accepted> isHeard)
      throws InterruptedException {
    BusTransport transport = connection.transport();
    if (!transport.isReceiving()) { // nor would the reply be
      return new RequestResult.NotSent(
          SendResult.notSent(transport.problem().orElse("Nothing is received.")).refusal());
    }
    long end = System.nanoTime() + deadline.toNanos();
    UUID correlation = orNewId(message.correlationId());
    UUID conversation = orNewId(message.conversationId());
    String asker = senderOf(message);
    var request = requests.begin(correlation, conversation, asker, message.channel().recipient());
    if (request == null) {
      return new RequestResult.NotSent(
          Refusal.of(
              ErrorCode.OVERLOADED,
              "%d requests await their replies already, or one with this correlation id does."
                  .formatted(PendingRequests.MAX_PENDING)));
    }
    try {
      return switch (send(
          message.from(asker).withConversation(conversation).withCorrelation(correlation))) {
        case SendResult.Accepted accepted -> {
          long wait = isHeard.test(accepted) ? Math.max(0, end - System.nanoTime()) : 0;
          yield request.result(accepted, Duration.ofNanos(wait));
        }
        case SendResult.Refused(var refusal) -> new RequestResult.NotSent(refusal);
        case SendResult.OutcomeUnknown unknown -> new RequestResult.NotSent(unknown.refusal());
      };
    } finally {
      requests.end(correlation);
    }
  }

  /**
   * Sends {@code leave} if it had joined, and ends its subscriptions, after waiting up to a second
   * for earlier messages to be written.
   */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    leave();
    subscriptions.forEach(Subscription::close);
  }

  private void leave() {
    try {
      heartbeat
          .stop()
          .thenCompose(left -> connection.transport().ping())
          .get(MAX_LEAVE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      log.debug("{} could not say that it leaves", self.name(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
