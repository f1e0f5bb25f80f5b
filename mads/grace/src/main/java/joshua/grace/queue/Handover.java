package joshua.grace.queue;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import joshua.conversation.envelope.EnvelopeCodec;
import org.jspecify.annotations.Nullable;

/**
 * The handover of mail between an archivist and the queues: fetches of what isn't in a queue, and
 * receipts of what clients were given and have collected. Guarded by the lock of {@link
 * ClientQueues}.
 */
public final class Handover {
  private static final int MAX_FETCHES = 32;
  private static final int MAX_FETCHED = 100;
  private static final int MAX_FETCHED_BYTES = 512 * 1024;
  private static final int MAX_RECEIPTS = 100_000;
  private static final int MAX_A_CALL = 1_000;

  /** That a client was given a message, or has collected it. */
  public record Receipt(String clientId, boolean isCollected) {}

  private final ClientQueues queues;
  private volatile boolean isHeard;
  private volatile boolean wasHeard;
  private final Map<UUID, ClientQueue> fetches = new ConcurrentHashMap<>();
  private final LinkedHashMap<String, Receipt> receipts = new LinkedHashMap<>(); // by message id

  Handover(ClientQueues queues) {
    this.queues = queues;
  }

  /**
   * A fetch of a client's mail, as the archivist takes it.
   *
   * @param collected ids of what it has collected, which the archivist may not know yet
   * @param had the id of the last that it has had
   * @param since when it may have missed something
   */
  public record Fetch(
      @JsonIgnore UUID id,
      String clientId,
      int limit,
      int maxBytes,
      List<String> collected,
      @Nullable String had,
      @Nullable Instant since) {}

  /** Whether an archivist hears what is said now; any thread may call. */
  public boolean isHeard() {
    return isHeard;
  }

  /** Whether one ever was; otherwise nobody is told anything. */
  boolean wasHeard() {
    return wasHeard;
  }

  public void setHeard(boolean heard) {
    if (heard != isHeard) {
      try (var _ = queues.hold()) {
        isHeard = heard;
        wasHeard |= heard;
        fetches.values().forEach(queue -> queue.backlog.failed());
        fetches.clear();
      }
    }
  }

  /** Begins to fetch a client's mail, if some may be at the archivist, and none is in its queue. */
  public Optional<Fetch> begin(String clientId) {
    try (var _ = queues.hold()) {
      ClientQueue queue = queues.byClient.get(clientId);
      if (queue == null || !queue.backlog.canFetch()) {
        return Optional.empty();
      }
      if (fetches.size() >= MAX_FETCHES) {
        queue.backlog.failed(); // it stays behind
        return Optional.empty();
      }
      UUID id = UUID.randomUUID();
      fetches.put(id, queue);
      queue.backlog.begin();
      return Optional.of(
          new Fetch(
              id,
              clientId,
              Math.min(queues.limits().messages(), MAX_FETCHED),
              MAX_FETCHED_BYTES,
              receipts.entrySet().stream()
                  .filter(each -> each.getValue().equals(new Receipt(clientId, true)))
                  .map(Map.Entry::getKey)
                  .limit(MAX_A_CALL)
                  .toList(),
              queue.reader.reached.mail(),
              queue.missingSince));
    }
  }

  /** A request of this relay has come back by the bus; called by the receiving thread. */
  public void passed(UUID request) {
    ClientQueue queue = fetches.get(request);
    if (queue != null) {
      try (var _ = queues.hold()) {
        queue.backlog.passed();
      }
    }
  }

  boolean isFetching(ClientQueue queue) {
    return fetches.containsValue(queue);
  }

  /** The answer to a fetch that is under way counts no more. */
  void breakOff(ClientQueue queue) {
    if (fetches.values().remove(queue)) {
      queue.backlog.failed();
    }
  }

  /** Ends a fetch with the archivist's answer, if it gave one. */
  public void end(Fetch fetch, Optional<? extends JsonNode> answer) {
    try (var _ = queues.hold()) {
      ClientQueue queue = fetches.remove(fetch.id());
      if (queue != null) {
        answer.ifPresentOrElse(page -> end(queue, page), queue.backlog::failed);
      }
    }
  }

  private void end(ClientQueue queue, JsonNode page) {
    List<String> given = page.path("given").valueStream().map(JsonNode::asText).toList();
    List<QueuedMessage> messages = new ArrayList<>();
    for (JsonNode message : page.path("messages")) {
      byte[] body = message.toString().getBytes(StandardCharsets.UTF_8);
      EnvelopeCodec.tryDecode(queue.own, body)
          .ifPresent(envelope -> {
            QueuedMessage mail = new QueuedMessage(body, envelope, List.of(queue));
            mail.again = given.contains(mail.id()) || receipts.containsKey(mail.id());
            mail.kept = true;
            messages.add(mail);
          });
    }
    queue.backlog.end(messages, page.path("remaining").asInt());
    if (page.path("complete").asBoolean() && queue.followsMailAlone()) {
      queue.reader.forgive();
    }
    queues.dropBeyondBytes();
  }

  /** Messages of a client that an archivist kept, and when the oldest of them was sent. */
  public record Kept(int messages, Instant oldest) {}

  /** What an archivist kept and waits for a client, here and there. */
  public Optional<Kept> kept(String clientId) {
    try (var _ = queues.hold()) {
      ClientQueue queue = queues.byClient.get(clientId);
      List<QueuedMessage> kept =
          queue == null
              ? List.of()
              : queue.messages.stream().filter(each -> each.kept && !each.left).toList();
      return queue == null || kept.isEmpty()
          ? Optional.empty()
          : Optional.of(new Kept(kept.size() + queue.backlog.left(), kept.getFirst().timestamp));
    }
  }

  void add(Collection<String> ids, Receipt receipt) {
    if (wasHeard) {
      ids.forEach(
          id -> receipts.merge(id, receipt, (before, now) -> before.isCollected() ? before : now));
      while (receipts.size() > MAX_RECEIPTS) {
        receipts.pollFirstEntry();
      }
    }
  }

  /** A reply was collected by who waited for it. */
  public void collected(String clientId, UUID id) {
    try (var _ = queues.hold()) {
      add(List.of(id.toString()), new Receipt(clientId, true));
    }
  }

  /** Takes receipts that a relay sends: what a client has got of another doesn't come from here. */
  public void heard(JsonNode collected) {
    try (var _ = queues.hold()) {
      for (var each : collected.properties()) {
        ClientQueue queue = queues.byClient.get(each.getKey());
        if (queue != null) {
          List<String> ids = each.getValue().valueStream().map(JsonNode::asText).toList();
          queue.messages.stream()
              .filter(message -> queue.backlog.isMail(message) && ids.contains(message.id()))
              .forEach(message -> message.left = true);
        }
      }
    }
  }

  boolean isCollected(String id) {
    Receipt receipt = receipts.get(id);
    return receipt != null && receipt.isCollected();
  }

  /** The oldest receipts, by the ids of messages. */
  public Map<String, Receipt> receipts() {
    try (var _ = queues.hold()) {
      Map<String, Receipt> oldest = new LinkedHashMap<>();
      receipts.entrySet().stream()
          .limit(MAX_A_CALL)
          .forEach(each -> oldest.put(each.getKey(), each.getValue()));
      return oldest;
    }
  }

  /** The archivist has taken receipts; those that an answer may not know yet are told again. */
  public void confirm(Map<String, Receipt> taken) {
    try (var _ = queues.hold()) {
      List<String> fetching = fetches.values().stream().map(queue -> queue.clientId).toList();
      taken.values().removeIf(receipt -> fetching.contains(receipt.clientId()));
      taken.forEach(receipts::remove);
    }
  }

  /** Counts all that answers have given as read, before the relay ends. */
  public void settle() {
    try (var _ = queues.hold()) {
      queues.byClient.values().forEach(queue -> queue.reader.settle());
    }
  }
}
