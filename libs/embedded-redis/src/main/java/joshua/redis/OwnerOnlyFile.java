package joshua.redis;

import static java.nio.file.attribute.PosixFilePermission.OWNER_READ;
import static java.nio.file.attribute.PosixFilePermission.OWNER_WRITE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files that only their owner may read. */
final class OwnerOnlyFile {
  private static final Set<PosixFilePermission> OWNER_ONLY = Set.of(OWNER_READ, OWNER_WRITE);

  private OwnerOnlyFile() {}

  /** Creates a directory that only its owner may enter; one that exists is left as it is. */
  static void createDirectory(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
  }

  /**
   * Creates a file with mode 0600 from its first moment on.
   *
   * @throws java.nio.file.FileAlreadyExistsException if it exists
   */
  static void create(Path file, String content) throws IOException {
    Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    Files.writeString(file, content, StandardOpenOption.WRITE);
  }

  /** Replaces a file at once by one with mode 0600. */
  static void replace(Path file, String content) throws IOException {
    Path fresh = Files.createTempFile(file.getParent(), file.getFileName() + ".", ".new");
    Files.setPosixFilePermissions(fresh, OWNER_ONLY);
    Files.writeString(fresh, content);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  static boolean othersMayUse(Path file) throws IOException {
    return Files.getPosixFilePermissions(file).stream()
        .anyMatch(permission -> !permission.name().startsWith("OWNER_"));
  }
}
