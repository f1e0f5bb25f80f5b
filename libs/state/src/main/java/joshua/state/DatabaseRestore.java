package joshua.state;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The restore of a backup in place of a database that no process has open. */
public final class DatabaseRestore {
  /** The maximum number of replaced databases kept per file. */
  static final int MOST_KEPT = 100;

  private static final int SMALLEST_PAGE = 512;

  /** The number of bytes copied at once. */
  private static final int PART = 4 * 1024 * 1024;

  private DatabaseRestore() {}

  /**
   * Checks a backup, keeps the current database under another name, and puts a copy of the backup
   * in its place. At every moment one or the other exists.
   *
   * @param migrations what this build knows, as for {@link Database#open}
   * @param progress receives the progress of the copy; the check before it reports none
   * @return where the replaced database is kept, if there was one
   * @throws BackupFailedException with a sentence for the user; the database is then unchanged
   */
  public static Optional<Path> restore(
      Path backup, Path file, List<Migration> migrations, DatabaseBackup.Progress progress)
      throws BackupFailedException {
    Path from = backup.toAbsolutePath().normalize();
    Path to = file.toAbsolutePath().normalize();
    try {
      OwnerOnlyPath.createDirectory(to.resolveSibling("."));
      // Before the backup is first read, since no file may be left beside it.
      NativeLibrary.placeBeside(to);
      check(from, migrations);
      Path fresh = Files.createTempFile(to.getParent(), to.getFileName() + ".", ".new");
      try {
        copy(from, fresh, progress);
        OwnerOnlyPath.force(fresh);
        if (!Files.exists(to)) {
          Files.move(fresh, to, StandardCopyOption.ATOMIC_MOVE);
          OwnerOnlyPath.force(to.resolveSibling("."));
          return Optional.empty();
        }
        return Optional.of(replace(to, fresh));
      } finally {
        Files.deleteIfExists(fresh);
      }
    } catch (IOException e) {
      throw new BackupFailedException(
          "Backup %s could not be put in the place of %s (%s). Look whether there is room and whether the directory may be written to."
              .formatted(from, to, e),
          e);
    }
  }

  private static void copy(Path from, Path to, DatabaseBackup.Progress progress)
      throws IOException {
    int parts = Math.toIntExact(Math.ceilDiv(Files.size(from), PART));
    try (InputStream in = Files.newInputStream(from);
        OutputStream out = Files.newOutputStream(to)) {
      int done = 0;
      for (byte[] part = in.readNBytes(PART); part.length > 0; part = in.readNBytes(PART)) {
        out.write(part);
        done++;
        progress.copied(done, Math.max(done, parts));
      }
    }
  }

  private static void check(Path backup, List<Migration> migrations) throws BackupFailedException {
    List<String> findings = IntegrityCheck.full(backup);
    if (!findings.isEmpty()) {
      throw new BackupFailedException(
          "Backup %s was not restored, because it is damaged (%s). Choose another."
              .formatted(backup, findings.getFirst()));
    }
    try (Connection connection = DatabaseConnections.lookingOn(backup)) {
      new DatabaseSchema(backup, migrations).check(connection);
      if (DatabaseSchema.of(connection) == 0) {
        throw new BackupFailedException(
            "Backup %s was not restored, because it is empty. Choose another.".formatted(backup));
      }
    } catch (SQLException e) {
      throw new BackupFailedException(
          String.valueOf(new SqliteErrors(backup).cannotOpen(e).getMessage()), e);
    } catch (CannotOpenException e) {
      throw new BackupFailedException(String.valueOf(e.getMessage()), e);
    }
  }

  private static Path replace(Path file, Path fresh) throws IOException, BackupFailedException {
    refuseIfHeld(file);
    Path aside = unused(file);
    List<Path> moved = new ArrayList<>();
    try {
      link(file, aside);
      // The side files of a damaged database belong to it, and would spoil the new one.
      for (Path side : SideFiles.of(file)) {
        if (Files.exists(side)) {
          Files.move(side, besides(side, file, aside));
          moved.add(side);
        }
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      for (Path side : moved.reversed()) {
        Files.move(besides(side, file, aside), side);
      }
      Files.deleteIfExists(aside);
      throw e;
    }
    OwnerOnlyPath.force(file.resolveSibling("."));
    return aside;
  }

  /** Maps a side file of one database to that of another. */
  private static Path besides(Path side, Path file, Path other) {
    String ending = side.getFileName().toString().substring(file.getFileName().toString().length());
    return other.resolveSibling(other.getFileName() + ending);
  }

  /** A hard link where the file system supports it, otherwise a copy. */
  private static void link(Path file, Path aside) throws IOException {
    try {
      Files.createLink(aside, file);
    } catch (UnsupportedOperationException | IOException e) {
      Files.copy(file, aside, StandardCopyOption.COPY_ATTRIBUTES);
      OwnerOnlyPath.force(aside);
    }
  }

  private static Path unused(Path file) throws BackupFailedException {
    for (int i = 1; i <= MOST_KEPT; i++) {
      Path aside = file.resolveSibling(file.getFileName() + ".replaced-" + i);
      if (!Files.exists(aside)) {
        return aside;
      }
    }
    throw new BackupFailedException(
        "%s has been replaced %d times, and each time the database before was kept beside it. Delete those files (%s.replaced-*) that you don't need."
            .formatted(file, MOST_KEPT, file.getFileName()));
  }

  /**
   * Takes the lock that is free only if no connection is open; a damaged file may have none. A file
   * smaller than a page isn't open anywhere, and SQLite would delete the log beside it.
   */
  private static void refuseIfHeld(Path file) throws IOException, BackupFailedException {
    if (Files.size(file) < SMALLEST_PAGE) {
      return;
    }
    try (Connection connection = DatabaseConnections.plain(file, Duration.ZERO)) {
      DatabaseConnections.run(connection, "pragma locking_mode = exclusive");
      DatabaseConnections.run(connection, "begin exclusive");
      DatabaseConnections.run(connection, "rollback");
    } catch (SQLException e) {
      if (SqliteErrors.isBusy(e)) {
        throw new BackupFailedException(
            "Database %s is open in a running process, so that no backup can take its place. Stop that process first (fuser %s names it)."
                .formatted(file, file),
            e);
      }
    }
  }
}
