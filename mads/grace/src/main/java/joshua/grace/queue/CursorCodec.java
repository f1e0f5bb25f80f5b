package joshua.grace.queue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encodes and checks the cursors of one run of Grace, its epoch: opaque strings that hold a
 * client's {@link QueuePosition} and prove that this epoch issued them to this client. No cursor is
 * stored.
 */
public final class CursorCodec {
  private static final int EPOCH_BYTES = 8;
  private static final int SEAL_BYTES = 8;
  private static final int SEALED_BYTES = EPOCH_BYTES + 3 * Long.BYTES + Integer.BYTES;
  private static final String ALGORITHM = "HmacSHA256";

  private final byte[] epoch = new byte[EPOCH_BYTES];
  private final SecretKeySpec key;

  public CursorCodec(SecureRandom random) {
    random.nextBytes(epoch);
    byte[] secret = new byte[32];
    random.nextBytes(secret);
    this.key = new SecretKeySpec(secret, ALGORITHM);
  }

  /** What a cursor string turned out to be. */
  public sealed interface Reading {
    /** Issued by this epoch to this client. */
    record Ours(QueuePosition position) implements Reading {}

    /** Issued by an earlier run, or by another instance, no later than {@code since}. */
    record OldEpoch(Instant since) implements Reading {}

    /** Never issued by this epoch. */
    record NeverIssued() implements Reading {}
  }

  public String epoch() {
    return HexFormat.of().formatHex(epoch);
  }

  public String write(String clientId, QueuePosition queuePosition) {
    ByteBuffer sealed =
        ByteBuffer.allocate(SEALED_BYTES)
            .put(epoch)
            .putLong(queuePosition.queue())
            .putLong(queuePosition.sequence())
            .putInt(queuePosition.breaks())
            .putLong(queuePosition.since().toEpochMilli());
    byte[] cursor = Arrays.copyOf(sealed.array(), SEALED_BYTES + SEAL_BYTES);
    System.arraycopy(seal(clientId, sealed.array()), 0, cursor, SEALED_BYTES, SEAL_BYTES);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(cursor);
  }

  public Reading read(String clientId, String cursor) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(cursor);
    } catch (IllegalArgumentException e) {
      return new Reading.NeverIssued();
    }
    if (bytes.length != SEALED_BYTES + SEAL_BYTES) {
      return new Reading.NeverIssued();
    }
    byte[] sealed = Arrays.copyOf(bytes, SEALED_BYTES);
    byte[] seal = Arrays.copyOfRange(bytes, SEALED_BYTES, bytes.length);
    ByteBuffer fields = ByteBuffer.wrap(sealed).position(EPOCH_BYTES);
    long queue = fields.getLong();
    long sequence = fields.getLong();
    int breaks = fields.getInt();
    Instant since = Instant.ofEpochMilli(fields.getLong());
    if (!Arrays.equals(epoch, 0, EPOCH_BYTES, sealed, 0, EPOCH_BYTES)) {
      return new Reading.OldEpoch(since);
    }
    return MessageDigest.isEqual(seal, seal(clientId, sealed))
        ? new Reading.Ours(new QueuePosition(queue, sequence, breaks, since))
        : new Reading.NeverIssued();
  }

  private byte[] seal(String clientId, byte[] sealed) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(clientId.getBytes(StandardCharsets.UTF_8));
      return Arrays.copyOf(mac.doFinal(sealed), SEAL_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
