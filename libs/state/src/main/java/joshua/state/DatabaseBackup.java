package joshua.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * A backup of a database: a copy of one snapshot, made while writes continue, in a single
 * self-contained file.
 */
public final class DatabaseBackup {
  private static final long ROOM_TO_READ = 1L << 20;
  private static final int PAGES_AT_A_TIME = 4_096;
  private static final int TRIES = 3;
  private static final int MILLIS_BETWEEN_TRIES = 100;

  /** Receives the progress of a copy, on the copying thread; if it throws, no backup is made. */
  @FunctionalInterface
  public interface Progress {
    void copied(int parts, int of);
  }

  private DatabaseBackup() {}

  /**
   * Writes {@code to} atomically or not at all; {@code from} may be open or not.
   *
   * @throws BackupFailedException with a sentence for the user
   */
  public static void make(Path from, Path to, Progress progress) throws BackupFailedException {
    if (Files.exists(to)) {
      throw new BackupFailedException(
          "The backup of %s can't be written to %s: that is there already. Name a file that isn't."
              .formatted(from, to));
    }
    try {
      if (DatabaseCreation.isCutOff(from)) {
        throw new BackupFailedException(new SqliteErrors(from).empty());
      }
      Path fresh = Files.createTempFile(to.getParent(), to.getFileName() + ".", ".new");
      try {
        copy(from, fresh, progress);
        complete(from, fresh);
        OwnerOnlyPath.force(fresh);
        Files.move(fresh, to, StandardCopyOption.ATOMIC_MOVE);
        OwnerOnlyPath.force(to.resolveSibling("."));
      } finally {
        Files.deleteIfExists(fresh);
        for (Path side : SideFiles.of(fresh)) {
          Files.deleteIfExists(side);
        }
      }
    } catch (IOException e) {
      throw failed(from, to, e);
    } catch (SQLException e) {
      throw failed(from, to, e);
    }
  }

  /**
   * Copies one snapshot. The transaction around it keeps the snapshot while others write: without
   * it, SQLite starts over at each of their commits.
   */
  private static void copy(Path from, Path to, Progress progress) throws SQLException {
    AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
    try (Connection source = DatabaseConnections.lookingOn(from)) {
      DatabaseConnections.run(source, "begin");
      DatabaseConnections.number(source, "select count(*) from sqlite_schema");
      int code =
          source
              .unwrap(SQLiteConnection.class)
              .getDatabase()
              .backup(
                  "main",
                  to.toString(),
                  (remaining, pages) -> tell(progress, pages - remaining, pages, fault),
                  MILLIS_BETWEEN_TRIES,
                  TRIES,
                  PAGES_AT_A_TIME);
      if (code != 0) {
        throw new SQLiteException(
            "SQLite's backup ended with code " + code, SQLiteErrorCode.getErrorCode(code));
      }
    }
    switch (fault.get()) {
      case RuntimeException thrown -> throw thrown;
      case Error thrown -> throw thrown;
      case null, default -> {}
    }
  }

  /** Native code calls this, and no exception may be thrown through that. */
  private static void tell(
      Progress progress, int pages, int of, AtomicReference<@Nullable Throwable> fault) {
    if (fault.get() == null) {
      try {
        progress.copied(pages, of);
      } catch (RuntimeException | Error e) {
        fault.set(e);
      }
    }
  }

  /** Makes a copy independent of side files, so that it can be read on read-only storage. */
  private static void complete(Path from, Path copy) throws SQLException, BackupFailedException {
    try (Connection connection = DatabaseConnections.writing(copy)) {
      DatabaseConnections.run(connection, "pragma journal_mode = delete");
    }
    List<String> findings = IntegrityCheck.full(copy);
    if (!findings.isEmpty()) {
      throw new BackupFailedException(
          "The backup of %s was not kept, because the copy is damaged (%s). Look at the disk; then check the database itself."
              .formatted(from, findings.getFirst()));
    }
  }

  /** SQLite says so, or so little space is left that anything else is unlikely. */
  private static boolean isFull(Exception cause) {
    return (cause instanceof SQLException fault && SqliteErrors.isFull(fault))
        || String.valueOf(cause.getMessage()).contains("No space left on device");
  }

  private static long room(Path file) {
    try {
      return Files.getFileStore(file).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return 0;
    }
  }

  private static BackupFailedException failed(Path from, Path to, Exception cause) {
    if (isFull(cause)) {
      return new BackupFailedException(
          "The disk with %s is full: a backup of %s takes %d KiB, and there was no room for that. Make room, or name a directory on another disk. Nothing was left there."
              .formatted(to.getParent(), from, size(from) >> 10),
          cause);
    }
    if (cause instanceof SQLException && room(from) < ROOM_TO_READ) {
      return new BackupFailedException(
          "The disk with database %s is full, and SQLite needs a little room beside a database to read it. Make room, 1 MiB is enough, and make the backup again."
              .formatted(from),
          cause);
    }
    return new BackupFailedException(
        "The backup of %s could not be written to %s (%s). Look whether there is room and whether the directory may be written to."
            .formatted(from, to, cause),
        cause);
  }
}
