package joshua.grace.queue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Optional;

/**
 * The last {@value #LIMIT} clients whose queue is gone, as hashes. Of an evicted client it
 * remembers since when messages are lost, so that the next poll can report why the queue is gone;
 * of a client that unsubscribed, which queue it gave up, so that its cursor isn't taken for one of
 * an evicted queue. Guarded by the lock of {@link ClientQueues}.
 */
public final class FormerClients {
  public static final int LIMIT = 100_000;

  /** Stands for no queue: queue numbers begin at 1. */
  private static final long NONE = 0;

  private final LinkedHashMap<Long, Former> clients = new LinkedHashMap<>();

  /**
   * What is remembered of a client, in primitives because there may be many.
   *
   * @param evicted whether it was evicted; {@code lostSince} is set only then
   * @param unsubscribed the number of the queue that it gave up last
   */
  private record Former(boolean evicted, long lostSince, long unsubscribed) {
    Optional<Instant> since() {
      return evicted ? Optional.of(Instant.ofEpochMilli(lostSince)) : Optional.empty();
    }
  }

  private static final Former UNKNOWN = new Former(false, 0, NONE);

  public void evicted(String clientId, Instant lostSince) {
    long hash = hash(clientId);
    put(hash, new Former(true, lostSince.toEpochMilli(), former(hash).unsubscribed()));
  }

  public void unsubscribed(String clientId, long queue) {
    long hash = hash(clientId);
    Former before = former(hash);
    put(hash, new Former(before.evicted(), before.lostSince(), queue));
  }

  /** Since when a client's messages are lost by eviction. */
  public Optional<Instant> evictedSince(String clientId) {
    return former(hash(clientId)).since();
  }

  /** Whether the client has given up that queue itself. */
  public boolean hasGivenUp(String clientId, long queue) {
    return former(hash(clientId)).unsubscribed() == queue;
  }

  void forgetEviction(String clientId) {
    long hash = hash(clientId);
    Former before = former(hash);
    if (before.evicted() && before.unsubscribed() != NONE) {
      clients.replace(hash, new Former(false, 0, before.unsubscribed()));
    } else if (before.evicted()) {
      clients.remove(hash);
    }
  }

  private Former former(long hash) {
    return clients.getOrDefault(hash, UNKNOWN);
  }

  private void put(long hash, Former former) {
    clients.remove(hash);
    if (clients.size() == LIMIT) {
      clients.pollFirstEntry();
    }
    clients.put(hash, former);
  }

  private static long hash(String clientId) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(clientId.getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.wrap(digest).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
