package joshua.grace;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Optional;

/**
 * The last {@value #LIMIT} clients that were evicted, as hashes, and since when their messages are
 * lost: so that their next poll can be told why their queue is gone. Guarded by the lock of {@link
 * ClientQueues}.
 */
final class Evicted {
  static final int LIMIT = 100_000;

  private final LinkedHashMap<Long, Instant> since = new LinkedHashMap<>();

  void add(String clientId, Instant lostSince) {
    long hash = hash(clientId);
    since.remove(hash);
    if (since.size() == LIMIT) {
      since.pollFirstEntry();
    }
    since.put(hash, lostSince);
  }

  Optional<Instant> since(String clientId) {
    return Optional.ofNullable(since.get(hash(clientId)));
  }

  void forget(String clientId) {
    since.remove(hash(clientId));
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
