package joshua.ssh;

import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;

/**
 * A public key in SSH's format (RFC 4253 §6.6), of an accepted kind: ed25519, ECDSA on a NIST
 * curve, or RSA of at least 2048 bits (REQ-JS-02).
 *
 * @param type {@code ssh-ed25519} for instance
 * @param base64 the whole key, including the type
 * @param bits its size, as {@code ssh-keygen -l} counts it
 */
public record SshKey(String type, String base64, int bits) {
  /** The minimum size of an RSA key. */
  static final int RSA_BITS = 2_048;

  /** The maximum size, so that verifying a signature stays cheap. */
  static final int MAX_RSA_BITS = 16_384;

  private static final int ED25519_BITS = 256;

  /** Why a text isn't an acceptable key: a reason to be put after a colon. */
  public static final class UnfitKeyException extends Exception {
    private static final long serialVersionUID = 1L;

    UnfitKeyException(String reason) {
      super(reason);
    }

    public String reason() {
      return String.valueOf(getMessage());
    }
  }

  /** Parses the two words of a key, {@code ssh-ed25519 AAAA…}. */
  public static SshKey read(String type, String base64) throws UnfitKeyException {
    byte[] blob;
    try {
      blob = Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new UnfitKeyException("the key isn't base64");
    }
    SshKey key = of(blob);
    if (!key.type().equals(type)) {
      throw new UnfitKeyException("it says " + type + ", and the key is of type " + key.type());
    }
    return key;
  }

  /** Parses a key in its wire format. */
  public static SshKey of(byte[] blob) throws UnfitKeyException {
    try {
      ByteBuffer rest = ByteBuffer.wrap(blob);
      String type = new String(string(rest), StandardCharsets.US_ASCII);
      int bits =
          switch (type) {
            case "ssh-ed25519" -> ed25519(rest);
            case "ecdsa-sha2-nistp256" -> curve("nistp256", 256, rest);
            case "ecdsa-sha2-nistp384" -> curve("nistp384", 384, rest);
            case "ecdsa-sha2-nistp521" -> curve("nistp521", 521, rest);
            case "ssh-rsa" -> rsa(rest);
            default ->
                throw new UnfitKeyException(
                    "keys of type %s aren't taken; ed25519, ECDSA and RSA keys are"
                        .formatted(PrintableText.text(type)));
          };
      if (rest.hasRemaining()) {
        throw new UnfitKeyException("the key has bytes after its end");
      }
      return new SshKey(type, Base64.getEncoder().encodeToString(blob), bits);
    } catch (BufferUnderflowException e) {
      throw new UnfitKeyException("the key isn't complete");
    }
  }

  private static int ed25519(ByteBuffer rest) throws UnfitKeyException {
    if (string(rest).length * Byte.SIZE != ED25519_BITS) {
      throw new UnfitKeyException("the key isn't one of 32 bytes");
    }
    return ED25519_BITS;
  }

  private static int curve(String name, int bits, ByteBuffer rest) throws UnfitKeyException {
    String curve = new String(string(rest), StandardCharsets.US_ASCII);
    byte[] point = string(rest);
    int coordinate = Math.ceilDiv(bits, Byte.SIZE);
    if (!curve.equals(name) || point.length != 1 + 2 * coordinate || point[0] != 4) {
      throw new UnfitKeyException("the key isn't a point of " + name);
    }
    return bits;
  }

  private static int rsa(ByteBuffer rest) throws UnfitKeyException {
    string(rest); // the exponent
    byte[] modulus = string(rest);
    int bits = new BigInteger(1, modulus).bitLength();
    if (bits < RSA_BITS || bits > MAX_RSA_BITS) {
      throw new UnfitKeyException(
          "an RSA key has %d to %d bits, and this one %d".formatted(RSA_BITS, MAX_RSA_BITS, bits));
    }
    return bits;
  }

  private static byte[] string(ByteBuffer rest) {
    int length = rest.getInt();
    if (length < 0 || length > rest.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    rest.get(bytes);
    return bytes;
  }

  /** As {@code ssh-keygen -l} prints it, {@code SHA256:…}. */
  public String fingerprint() {
    return "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(hash());
  }

  /** The first 12 hex digits of its hash, for use in a name. */
  String shortName() {
    return "key-" + HexFormat.of().formatHex(hash(), 0, 6);
  }

  private byte[] hash() {
    try {
      return MessageDigest.getInstance("SHA-256").digest(Base64.getDecoder().decode(base64));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** The two words of its text form. */
  @Override
  public String toString() {
    return type + " " + base64;
  }
}
