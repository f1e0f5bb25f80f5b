package joshua.grace.presence;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RequestResult;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.grace.queue.Handover;
import joshua.grace.queue.Handover.Fetch;
import joshua.grace.queue.Handover.Receipt;
import joshua.grace.queue.Polls;
import joshua.kernel.Json;
import joshua.network.Access;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The archivist, Dewey, as this relay knows it by its heartbeats. The relay asks it by the bus for
 * clients' mail, and tells it what they have been given and have collected. Any thread may call.
 */
public final class Archive implements Polls.Fetcher {
  static final String ARCHIVIST = "dewey";
  private static final Duration ALIVE = Duration.ofSeconds(15);
  private static final Duration DEADLINE = Duration.ofSeconds(2);
  private static final Duration FAILURES_WITHIN = Duration.ofSeconds(10);
  private static final int RECEIPTS_EACH_MS = 250;
  private static final Logger log = LoggerFactory.getLogger(Archive.class);

  private final ConversationBus bus;
  private final Handover handover;
  private final AddresseeLookup addressees;
  private final Access access;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile long heardAt;
  private volatile long failedAt;

  public Archive(
      ConversationBus bus, Handover handover, AddresseeLookup addressees, Access access) {
    this.bus = bus;
    this.handover = handover;
    this.addressees = addressees;
    this.access = access;
    this.failedAt = System.nanoTime() - FAILURES_WITHIN.toNanos();
  }

  /** Takes what a message tells of the archivist, or of a fetch that is under way. */
  void said(Envelope envelope) {
    String sender = envelope.senderId();
    if (sender.equals(bus.self().name())) {
      handover.passed(envelope.correlationId());
      handover.heard(envelope.payload().path("receipts").path("collected"));
    } else if (sender.equals(ARCHIVIST) && access.isService(sender)) {
      if (envelope.channel().equals(Channel.HEARTBEAT)) {
        heard();
      } else if (envelope.channel().equals(Channel.PRESENCE)
          && envelope.payload().path("event").asText().equals("leave")) {
        handover.setHeard(false);
      }
    }
  }

  /** Whether a message is between a relay and the archivist, and so nobody's who follows all. */
  boolean isBusiness(Envelope envelope) {
    String recipient = envelope.channel().recipient().orElse("");
    String relay = bus.self().name();
    return (envelope.senderId().equals(relay) && recipient.equals(ARCHIVIST))
        || (envelope.senderId().equals(ARCHIVIST) && recipient.equals(relay));
  }

  private void heard() {
    heardAt = System.nanoTime();
    handover.setHeard(true);
  }

  @Override
  public void fetch(String clientId) throws InterruptedException {
    Optional<Fetch> begun = handover.begin(clientId);
    if (begun.isPresent()) {
      Fetch fetch = begun.get();
      Optional<ObjectNode> answer = Optional.empty();
      try {
        answer = ask("fetch", Json.mapper().valueToTree(fetch), fetch.id());
      } finally {
        handover.end(fetch, answer);
      }
    }
  }

  /** The answer of the archivist; after two failures it doesn't count as heard until it beats. */
  private Optional<ObjectNode> ask(String what, ObjectNode content, UUID correlation)
      throws InterruptedException {
    ObjectNode payload = Json.object().set(what, content);
    OutgoingMessage request = OutgoingMessage.to(ARCHIVIST, payload).withCorrelation(correlation);
    RequestResult result =
        bus.relayRequest(request, DEADLINE, sent -> true); // its tap hears what Redis can't count
    if (result instanceof RequestResult.Answered(var _, Envelope reply)
        && reply.payload().path("status").asText().equals("success")) {
      return Optional.of(reply.payload());
    }
    log.debug("the archivist didn't answer: {}", result);
    long now = System.nanoTime();
    if (now - failedAt < FAILURES_WITHIN.toNanos()) {
      handover.setHeard(false);
    }
    failedAt = now;
    return Optional.empty();
  }

  /** Begins to tell the archivist what clients were given and have collected, if there is one. */
  public void start() {
    if (addressees.listens(Channel.direct(ARCHIVIST).name()).join()) {
      heard(); // until it beats
    }
    Thread.ofVirtual().name("receipts").start(this::run);
  }

  private void run() {
    try {
      while (!closed.await(RECEIPTS_EACH_MS, TimeUnit.MILLISECONDS)) {
        if (System.nanoTime() - heardAt > ALIVE.toNanos()) {
          handover.setHeard(false);
        }
        sendOnce();
      }
    } catch (InterruptedException e) {
      // it ends
    }
  }

  private void sendOnce() throws InterruptedException {
    try {
      Map<String, Receipt> receipts = handover.receipts();
      ObjectNode content = Json.object();
      receipts.forEach((id, receipt) ->
          content
              .withObjectProperty(receipt.isCollected() ? "collected" : "given")
              .withArrayProperty(receipt.clientId())
              .add(id));
      if (handover.isHeard()
          && !receipts.isEmpty()
          && ask("receipts", content, UUID.randomUUID()).isPresent()) {
        handover.confirm(receipts);
      }
    } catch (RuntimeException e) {
      log.error("receipts can't be sent", e);
    }
  }

  /** Tells the last receipts. */
  public void stop() throws InterruptedException {
    closed.countDown();
    handover.settle();
    sendOnce();
  }
}
