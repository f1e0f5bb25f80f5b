package joshua.grace.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import org.jspecify.annotations.Nullable;

/**
 * The handover of mail between an archivist and the queues: fetches of what isn't in a queue, and
 * receipts of what clients were given and have collected. Guarded by the lock of {@link
 * ClientQueues}.
 */
public final class Handover {
  private static final int MAX_RECEIPTS = 100_000;
  private static final int MAX_A_CALL = 1_000;

  /** Longer than a fetch takes, whose answer may have what was collected meanwhile. */
  private static final Duration CONFIRMED_KEPT = Duration.ofSeconds(10);

  private final ClientQueues queues;
  private volatile boolean isHeard;
  private volatile boolean wasHeard;
  private final Map<UUID, ClientQueue> fetches = new ConcurrentHashMap<>();
  private final LinkedHashMap<String, String> given = new LinkedHashMap<>(); // clients by id
  private final LinkedHashMap<String, String> collected = new LinkedHashMap<>();
  private final LinkedHashMap<String, Long> confirmed = new LinkedHashMap<>(); // times by id

  Handover(ClientQueues queues) {
    this.queues = queues;
  }

  /**
   * A fetch of a client's mail.
   *
   * @param collected ids of what it has collected, which the archivist may not know yet
   * @param had the id of the last that it had of an earlier queue
   * @param since when it may have missed something
   */
  public record Fetch(
      UUID id,
      String clientId,
      int most,
      List<String> collected,
      @Nullable String had,
      @Nullable Instant since) {}

  /**
   * The answer to a fetch.
   *
   * @param remaining how many wait behind these
   * @param again the ids of those that the client was given before
   * @param complete whether the archivist has kept all since the time that the fetch named
   */
  public record Page(
      List<byte[]> messages, int remaining, Collection<String> again, boolean complete) {}

  /** What the archivist is to be told, ids by client. */
  public record Receipts(Map<String, List<String>> given, Map<String, List<String>> collected) {}

  /** Whether an archivist hears what is said now; any thread may call. */
  public boolean isHeard() {
    return isHeard;
  }

  /** Whether one ever was; otherwise nobody is told anything. */
  boolean wasHeard() {
    return wasHeard;
  }

  public void setHeard(boolean heard) {
    isHeard = heard;
    wasHeard |= heard;
  }

  /** Begins to fetch a client's mail, if some may be at the archivist, and none is in its queue. */
  public Optional<Fetch> begin(String clientId) {
    try (var _ = queues.hold()) {
      ClientQueue queue = queues.byClient.get(clientId);
      if (queue == null || !queue.backlog.canFetch()) {
        return Optional.empty();
      }
      UUID id = UUID.randomUUID();
      fetches.put(id, queue);
      queue.backlog.begin(id);
      List<String> known =
          collected.entrySet().stream()
              .filter(each -> each.getValue().equals(clientId))
              .map(Map.Entry::getKey)
              .limit(MAX_A_CALL)
              .toList();
      return Optional.of(
          new Fetch(
              id,
              clientId,
              queues.limits().messages(),
              known,
              queue.backlog.had,
              queue.missingSince()));
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

  public boolean isFetching() {
    return !fetches.isEmpty();
  }

  /** Ends a fetch with its answer. */
  public void end(Fetch fetch, Page page) {
    try (var _ = queues.hold()) {
      confirm(new Receipts(Map.of(), Map.of(fetch.clientId(), fetch.collected())));
      ClientQueue queue = fetches.remove(fetch.id());
      if (queue == null || !queue.backlog.isOf(fetch.id())) {
        return; // broken off meanwhile
      }
      String own = queue.own;
      List<QueuedMessage> messages = new ArrayList<>();
      for (byte[] body : page.messages()) {
        Optional<Envelope> envelope = EnvelopeCodec.tryDecode(own, body);
        envelope.ifPresent(read -> {
          QueuedMessage message = new QueuedMessage(body, read, List.of(queue));
          message.again = page.again().contains(read.messageId().toString());
          message.kept = true;
          messages.add(message);
        });
      }
      queue.backlog.end(messages, page.remaining());
      if (page.complete()) {
        queue.reader.forgive();
      }
      queues.dropBeyondBytes();
    }
  }

  /** Ends a fetch that wasn't answered. */
  public void fail(Fetch fetch) {
    try (var _ = queues.hold()) {
      ClientQueue queue = fetches.remove(fetch.id());
      if (queue != null && queue.backlog.isOf(fetch.id())) {
        queue.backlog.fail();
        queues.dropBeyondBytes();
      }
    }
  }

  /** Messages of a client that an archivist kept, and when the oldest of them was sent. */
  public record Kept(int messages, Instant oldest) {}

  /** What an archivist kept and waits for a client, here and there. */
  public Optional<Kept> kept(String clientId) {
    try (var _ = queues.hold()) {
      ClientQueue queue = queues.byClient.get(clientId);
      if (queue == null) {
        return Optional.empty();
      }
      List<QueuedMessage> kept = queue.messages.stream().filter(each -> each.kept).toList();
      return kept.stream()
          .findFirst()
          .map(oldest -> new Kept(kept.size() + queue.backlog.left(), oldest.timestamp));
    }
  }

  /** What a client has missed, as far as it isn't told. */
  public Optional<Loss> gap(String clientId) {
    try (var _ = queues.hold()) {
      return Optional.ofNullable(queues.byClient.get(clientId))
          .flatMap(queue -> queue.reader.gap());
    }
  }

  void given(String clientId, Collection<String> ids) {
    add(given, clientId, ids);
  }

  void collected(String clientId, Collection<String> ids) {
    ids.forEach(given::remove);
    add(collected, clientId, ids);
  }

  /** A reply was collected by who waited for it. */
  public void collected(String clientId, UUID id) {
    try (var _ = queues.hold()) {
      collected(clientId, List.of(id.toString()));
    }
  }

  private void add(SequencedMap<String, String> to, String clientId, Collection<String> ids) {
    if (wasHeard) {
      ids.forEach(id -> to.put(id, clientId));
      while (to.size() > MAX_RECEIPTS) {
        to.pollFirstEntry();
      }
    }
  }

  boolean isCollected(String id) {
    return collected.containsKey(id) || confirmed.containsKey(id);
  }

  /** The oldest receipts. */
  public Receipts receipts() {
    try (var _ = queues.hold()) {
      return new Receipts(byClient(given), byClient(collected));
    }
  }

  private static Map<String, List<String>> byClient(Map<String, String> receipts) {
    Map<String, List<String>> byClient = new LinkedHashMap<>();
    receipts.entrySet().stream()
        .limit(MAX_A_CALL)
        .forEach(each ->
            byClient.computeIfAbsent(each.getValue(), _ -> new ArrayList<>()).add(each.getKey()));
    return byClient;
  }

  /** Counts all that answers have given as read, before the relay ends. */
  public void settle() {
    try (var _ = queues.hold()) {
      queues.byClient.values().forEach(queue -> queue.reader.settle());
    }
  }

  /** The archivist has taken receipts. */
  public void confirm(Receipts taken) {
    try (var _ = queues.hold()) {
      long now = queues.nanoTime.getAsLong();
      taken.given().values().forEach(ids -> Set.copyOf(ids).forEach(given::remove));
      taken
          .collected()
          .values()
          .forEach(ids ->
              ids.forEach(id -> {
                collected.remove(id);
                confirmed.putLast(id, now);
              }));
      confirmed.values().removeIf(at -> now - at > CONFIRMED_KEPT.toNanos());
    }
  }
}
