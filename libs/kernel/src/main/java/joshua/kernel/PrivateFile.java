package joshua.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** A file that its owner alone can read and write. */
public final class PrivateFile {
  /** The mode of such a file. */
  public static final FileAttribute<?> MODE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private static final FileAttribute<?> DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private PrivateFile() {}

  /**
   * Writes a file anew at once: readers find what it held before or all of this. Its directory is
   * made if need be. Whose group it is and who may read it stays as it was.
   */
  public static void write(Path file, String text) throws IOException {
    Path directory = file.toAbsolutePath().resolveSibling("");
    makeDirectory(directory);
    Path target = file;
    Path fresh = Files.createTempFile(directory, ".new", null, MODE);
    try {
      Files.writeString(fresh, text);
      if (Files.exists(file)) { // a link leads to what is read
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

  /** Makes an empty file, unless there is one. */
  public static void make(Path file) throws IOException {
    if (!Files.exists(file)) {
      Files.createFile(file, MODE);
    }
  }

  /** Makes a directory and those above it, where they aren't there yet, for this user alone. */
  public static void makeDirectory(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      Files.createDirectories(path, DIRECTORY);
    }
  }
}
