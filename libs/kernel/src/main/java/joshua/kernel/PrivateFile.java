package joshua.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Operations on files that only their owner can read and write. */
public final class PrivateFile {
  /** The file mode {@code rw-------}. */
  public static final FileAttribute<?> MODE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private static final FileAttribute<?> DIRECTORY_MODE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private PrivateFile() {}

  /**
   * Replaces the content of a file atomically, and creates missing directories. The group and the
   * permissions of an existing file are kept.
   */
  public static void write(Path file, String text) throws IOException {
    Path directory = file.toAbsolutePath().resolveSibling("");
    createDirectories(directory);
    Path target = file;
    Path fresh = Files.createTempFile(directory, ".new", null, MODE);
    try {
      Files.writeString(fresh, text);
      if (Files.exists(file)) { // follows a symbolic link
        target = file.toRealPath();
        Files.setAttribute(fresh, "unix:gid", Files.getAttribute(file, "unix:gid"));
        Files.setPosixFilePermissions(fresh, Files.getPosixFilePermissions(file));
      }
      Files.move(
          fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  /** Creates an empty file, unless it exists. */
  public static void createIfAbsent(Path file) throws IOException {
    if (!Files.exists(file)) {
      Files.createFile(file, MODE);
    }
  }

  /** Creates a directory and its missing parents with mode {@code rwx------}. */
  public static void createDirectories(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      Files.createDirectories(path, DIRECTORY_MODE);
    }
  }
}
