package joshua.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** A file that others read while it changes: they see either the old or the new content. */
final class AtomicFile {
  private AtomicFile() {}

  /** Accessible to the owner only. */
  static final Set<PosixFilePermission> SECRET = PosixFilePermissions.fromString("rw-------");

  /** Writable by the owner, readable by those who could read it before. */
  static final Set<PosixFilePermission> PUBLIC = PosixFilePermissions.fromString("rwxr-xr-x");

  /**
   * Replaces the file, or creates it for its owner alone. The owner stays the same, even when root
   * replaces it.
   *
   * @param real its path including the directory, without symbolic links
   * @param atMost the permissions that it may keep
   */
  static void replace(Path real, String text, Set<PosixFilePermission> atMost) throws IOException {
    Path fresh = Files.createTempFile(real.getParent(), "." + real.getFileName() + ".", ".new");
    try {
      try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        channel.write(UTF_8.encode(text));
        channel.force(true);
      }
      if (Files.exists(real)) {
        keepOwnerAndMode(real, fresh, atMost);
      }
      Files.move(fresh, real, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private static void keepOwnerAndMode(Path from, Path to, Set<PosixFilePermission> atMost)
      throws IOException {
    PosixFileAttributes before = Files.readAttributes(from, PosixFileAttributes.class);
    PosixFileAttributeView view = Files.getFileAttributeView(to, PosixFileAttributeView.class);
    PosixFileAttributes now = view.readAttributes();
    if (!now.owner().equals(before.owner())) {
      view.setOwner(before.owner());
    }
    if (!now.group().equals(before.group())) {
      view.setGroup(before.group());
    }
    Set<PosixFilePermission> mode = EnumSet.copyOf(before.permissions());
    mode.retainAll(atMost);
    view.setPermissions(mode);
  }
}
