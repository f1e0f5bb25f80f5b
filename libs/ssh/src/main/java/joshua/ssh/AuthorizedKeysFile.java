package joshua.ssh;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * The file of keys that may log in. It is used only if no account but its owner's can change it:
 * neither the file nor its directory may be writable by group or others (REQ-JS-02).
 */
public final class AuthorizedKeysFile {
  private static final Set<PosixFilePermission> OTHERS_WRITE =
      EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

  private AuthorizedKeysFile() {}

  /** Why a file's keys can't be used, as a sentence that says what to do. */
  public static final class UnusableKeysException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableKeysException(String sentence) {
      super(sentence);
    }

    public String sentence() {
      return String.valueOf(getMessage());
    }
  }

  /** Reads the file in its current state. */
  public static AuthorizedKeys read(Path file) throws UnusableKeysException {
    try {
      Path real = file.toRealPath();
      if (!Files.isRegularFile(real)) {
        throw new UnusableKeysException(
            "%s isn't a regular file; put the keys into one".formatted(file));
      }
      checkWriters(real);
      Path directory = real.getParent();
      if (directory != null) {
        checkWriters(directory);
      }
      return parse(real);
    } catch (NoSuchFileException e) {
      throw new UnusableKeysException("There is no %s; joshua keys add makes it".formatted(file));
    } catch (IOException e) {
      throw new UnusableKeysException("%s can't be read: %s".formatted(file, e));
    }
  }

  private static void checkWriters(Path path) throws UnusableKeysException, IOException {
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
    if (permissions.stream().anyMatch(OTHERS_WRITE::contains)) {
      throw new UnusableKeysException(
          "%s can be written by others, so no key in it counts; do: chmod go-w %s"
              .formatted(path, path));
    }
  }

  private static AuthorizedKeys parse(Path file) throws UnusableKeysException, IOException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(AuthorizedKeys.MAX_BYTES + 1);
    }
    if (bytes.length > AuthorizedKeys.MAX_BYTES) {
      throw new UnusableKeysException(
          "%s has more than %d bytes; take out what isn't needed"
              .formatted(file, AuthorizedKeys.MAX_BYTES));
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      AuthorizedKeys keys = AuthorizedKeys.parse(text);
      if (keys.keys().size() > AuthorizedKeys.MAX_KEYS) {
        throw new UnusableKeysException(
            "%s has more than %d keys; take out what isn't needed"
                .formatted(file, AuthorizedKeys.MAX_KEYS));
      }
      return keys;
    } catch (CharacterCodingException e) {
      throw new UnusableKeysException("%s isn't UTF-8; write its comments anew".formatted(file));
    }
  }
}
