package joshua.redis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** The password of the embedded Redis, kept in a file that holds it and nothing else. */
record RedisPassword(String text) {
  private static final int RANDOM_BYTES = 32;
  private static final int SHORTEST = 16;
  private static final int LONGEST = 512;

  /** Reads the file, or creates it with a new password and mode 0600. */
  static RedisPassword in(Path file) throws IOException, CannotStartException {
    try {
      OwnerOnlyFile.create(file, random().text());
    } catch (FileAlreadyExistsException e) {
      // Made by an earlier start, or by the user: it stays in force.
    }
    if (OwnerOnlyFile.othersMayUse(file)) {
      throw new CannotStartException(
          "The password file %s can be read or written by others. Run: chmod 600 %s"
              .formatted(file, file));
    }
    if (Files.size(file) > 4 * LONGEST) {
      throw unfit(file);
    }
    String text = Files.readString(file).strip();
    boolean printable = text.chars().allMatch(character -> character > ' ' && character < 0x7f);
    if (text.length() < SHORTEST || text.length() > LONGEST || !printable) {
      throw unfit(file);
    }
    return new RedisPassword(text);
  }

  private static CannotStartException unfit(Path file) {
    return new CannotStartException(
        ("The password file %s must hold %d to %d printable ASCII characters and nothing else."
                + " Delete it, and the next start makes a new one.")
            .formatted(file, SHORTEST, LONGEST));
  }

  /** A new random password. */
  static RedisPassword random() {
    byte[] bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return new RedisPassword(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** The hash that Redis' configuration holds in place of the password. */
  String sha256() {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return "Password[***]";
  }
}
