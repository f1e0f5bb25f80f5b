package joshua.grace.presence;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RequestResult;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.grace.queue.Handover;
import joshua.grace.queue.Handover.Fetch;
import joshua.grace.queue.Handover.Page;
import joshua.grace.queue.Handover.Receipts;
import joshua.grace.queue.Polls;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import joshua.network.Access;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The archivist, Dewey, as this relay knows it by its heartbeats. The relay asks it by the bus for
 * clients' mail, and tells it what they have been given and have collected. Any thread may call.
 */
public final class Archive implements Polls.Fetcher {
  private static final String ARCHIVIST = "dewey";
  private static final Duration ALIVE = Duration.ofSeconds(15);
  private static final Duration DEADLINE = Duration.ofSeconds(2);
  private static final Duration FAILURES_WITHIN = Duration.ofSeconds(10);
  private static final int RECEIPTS_EACH_MS = 250;
  private static final int MAX_FETCHES = 32;
  private static final int MAX_MESSAGES = 100;
  private static final int MAX_BYTES = 512 * 1024;
  private static final Logger log = LoggerFactory.getLogger(Archive.class);

  private final ConversationBus bus;
  private final Handover handover;
  private final Access access;
  private final Semaphore fetches = new Semaphore(MAX_FETCHES);
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile long heardAt;
  private volatile long failedAt;

  public Archive(ConversationBus bus, Handover handover, Access access) {
    this.bus = bus;
    this.handover = handover;
    this.access = access;
    this.failedAt = System.nanoTime() - FAILURES_WITHIN.toNanos();
  }

  /** Takes what a message tells of the archivist, or of a fetch that is under way. */
  void said(Envelope envelope) {
    String sender = envelope.senderId();
    if (handover.isFetching() && sender.equals(bus.self().name())) {
      handover.passed(envelope.correlationId());
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

  /** Notices that the archivist has fallen silent; called about once a second. */
  public void tick() {
    if (handover.isHeard() && System.nanoTime() - heardAt > ALIVE.toNanos()) {
      handover.setHeard(false);
    }
  }

  @Override
  public void fetch(String clientId) throws InterruptedException {
    if (!fetches.tryAcquire()) {
      return; // it stays behind
    }
    try {
      Optional<Fetch> fetch = handover.begin(clientId);
      if (fetch.isPresent()) {
        fetch(fetch.get());
      }
    } finally {
      fetches.release();
    }
  }

  private void fetch(Fetch fetch) throws InterruptedException {
    ObjectNode payload = Json.object();
    payload
        .putObject("fetch")
        .put("client_id", fetch.clientId())
        .put("limit", Math.min(fetch.most(), MAX_MESSAGES))
        .put("max_bytes", MAX_BYTES)
        .put("had", fetch.had())
        .put("since", fetch.since() == null ? null : Timestamps.format(fetch.since()))
        .set("collected", Json.mapper().valueToTree(fetch.collected()));
    Optional<ObjectNode> answer = Optional.empty();
    try {
      answer = ask(OutgoingMessage.to(ARCHIVIST, payload).withCorrelation(fetch.id()));
    } finally {
      if (answer.isPresent()) {
        JsonNode page = answer.get();
        handover.end(
            fetch,
            new Page(
                page.path("messages")
                    .valueStream()
                    .map(message -> message.toString().getBytes(StandardCharsets.UTF_8))
                    .toList(),
                page.path("remaining").asInt(),
                page.path("given").valueStream().map(JsonNode::asText).toList(),
                page.path("complete").asBoolean()));
      } else {
        handover.fail(fetch);
      }
    }
  }

  /** The answer of the archivist; after two failures it doesn't count as heard until it beats. */
  private Optional<ObjectNode> ask(OutgoingMessage request) throws InterruptedException {
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
    String channel = Channel.direct(ARCHIVIST).name();
    bus.connection()
        .transport()
        .subscriberCounts(Set.of(channel))
        .thenAccept(counts -> {
          if (counts.getOrDefault(channel, 0L) > 0) {
            heard(); // until it beats
          }
        })
        .exceptionally(unknown -> null)
        .join();
    Thread.ofVirtual().name("receipts").start(this::sendReceipts);
  }

  private void sendReceipts() {
    try {
      while (!closed.await(RECEIPTS_EACH_MS, TimeUnit.MILLISECONDS)) {
        sendOnce();
      }
    } catch (InterruptedException e) {
      // it ends
    }
  }

  private void sendOnce() throws InterruptedException {
    try {
      Receipts receipts = handover.receipts();
      if (handover.isHeard()
          && !(receipts.given().isEmpty() && receipts.collected().isEmpty())
          && ask(OutgoingMessage.to(ARCHIVIST, payload(receipts))).isPresent()) {
        handover.confirm(receipts);
      }
    } catch (RuntimeException e) {
      log.error("receipts can't be sent", e);
    }
  }

  private static ObjectNode payload(Receipts receipts) {
    ObjectNode payload = Json.object();
    ObjectNode both = payload.putObject("receipts");
    Map.<String, Map<String, List<String>>>of(
            "given", receipts.given(), "collected", receipts.collected())
        .forEach((kind, ids) -> both.set(kind, Json.mapper().valueToTree(ids)));
    return payload;
  }

  /** Tells the last receipts. */
  public void stop() throws InterruptedException {
    closed.countDown();
    handover.settle();
    sendOnce();
  }
}
