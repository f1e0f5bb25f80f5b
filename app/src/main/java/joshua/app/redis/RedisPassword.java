package joshua.app.redis;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Base64;
import joshua.kernel.PrivateFile;

/** The password of the embedded Redis, kept in a file that holds it and nothing else. */
public record RedisPassword(Path file, String text) {
  private static final int RANDOM_BYTES = 32;

  /** Reads the file, or creates it with a new password, for this user alone from its beginning. */
  static RedisPassword in(Path file) throws IOException {
    try {
      Files.createFile(file, PrivateFile.MODE);
      Files.writeString(file, random(), StandardOpenOption.WRITE);
    } catch (FileAlreadyExistsException e) {
      // Made by an earlier start, or by the user: it stays in force.
    }
    if (Files.getPosixFilePermissions(file).stream()
        .anyMatch(permission -> !permission.name().startsWith("OWNER_"))) {
      throw new IOException(
          "The password file %s can be read or written by others. Run: chmod 600 %s"
              .formatted(file, file));
    }
    String text = Files.readString(file).strip();
    if (!text.matches("[!-~]{16,512}")) {
      throw new IOException(
          "The password file %s must hold 16 to 512 printable ASCII characters. Delete it, and the next start makes a new one."
              .formatted(file));
    }
    return new RedisPassword(file, text);
  }

  /** A new password, which needs no quoting anywhere. */
  public static String random() {
    byte[] bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  @Override
  public String toString() {
    return "RedisPassword[" + file + "]";
  }
}
