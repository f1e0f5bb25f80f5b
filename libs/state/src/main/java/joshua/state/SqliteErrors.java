package joshua.state;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import joshua.kernel.ErrorCode;
import org.sqlite.NativeLibraryNotFoundException;
import org.sqlite.SQLiteException;

/** SQLite's error codes of one file, explained to the admin. */
record SqliteErrors(Path file) {
  private static final int PRIMARY = 0xff;
  private static final int BUSY = 5;
  private static final int NO_MEMORY = 7;
  private static final int READ_ONLY = 8;
  private static final int IO_ERROR = 10;
  private static final int CORRUPT = 11;
  private static final int FULL = 13;
  private static final int CANNOT_OPEN = 14;
  private static final int NOT_A_DATABASE = 26;

  /**
   * What is wrong with the file or its disk, and what to do; empty if the statement was at fault.
   */
  Optional<String> sentence(SQLException fault) {
    if (fault.getCause() instanceof NativeLibraryNotFoundException) {
      return Optional.of(
          "Database %s can't be opened: SQLite's machine code could not be loaded from beside it, nor from the temporary directory. If both are mounted noexec, name a directory that isn't by -Dorg.sqlite.tmpdir (JAVA_TOOL_OPTIONS)."
              .formatted(file));
    }
    return Optional.ofNullable(
        switch (primaryCode(fault)) {
          case FULL ->
              "The disk with database %s is full. Make room on it, at least as much as %s-wal takes; nothing needs repair."
                  .formatted(file, file);
          case IO_ERROR ->
              "Database %s could not be read or written (%s). Look whether its disk is full, over quota or broken."
                  .formatted(file, fault.getMessage());
          case READ_ONLY -> readOnly();
          case CANNOT_OPEN ->
              "Database %s can't be opened (%s). Make the file and its directory readable and writable for the user that Joshua runs as."
                  .formatted(file, fault.getMessage());
          case BUSY ->
              "Database %s is locked by another process, for more than %d s. Find that process (fuser %s) and end it, or wait until it is done."
                  .formatted(file, DatabaseConnections.BUSY_TIMEOUT.toSeconds(), file);
          case CORRUPT -> damaged(fault.getMessage());
          case NOT_A_DATABASE -> notADatabase();
          case NO_MEMORY ->
              "SQLite had no memory left for database %s. Give the process more memory."
                  .formatted(file);
          default -> null;
        });
  }

  String damaged(@org.jspecify.annotations.Nullable String finding) {
    return "Database %s is damaged (%s). Stop Joshua, keep a copy of the file, and restore the newest backup."
        .formatted(file, finding);
  }

  String readOnly() {
    return "Database %s can't be written to. Make the file and its directory writable for the user that Joshua runs as."
        .formatted(file);
  }

  String empty() {
    return "Database %s is empty (0 bytes): what was in it is gone, since Joshua leaves no such file behind. Stop Joshua and restore the newest backup; or move the file away, and those beside it, to begin with nothing."
        .formatted(file);
  }

  String gone() {
    return "Database %s was deleted or replaced while it was open: what is written now goes into a file without a name, and is lost when Joshua stops. Stop Joshua, and restore the newest backup or put the file back."
        .formatted(file);
  }

  String notADatabase() {
    return "%s is not a SQLite database, or its first page is damaged. Move it away and restore the newest backup, or name another file."
        .formatted(file);
  }

  CannotOpenException cannotOpen(SQLException fault) {
    return new CannotOpenException(
        sentence(fault)
            .orElseGet(
                () -> "Database %s can't be opened (%s).".formatted(file, fault.getMessage())),
        fault);
  }

  StoreUnavailableException unavailable(SQLException fault) {
    return new StoreUnavailableException(
        ErrorCode.INTERNAL,
        sentence(fault)
            .orElseGet(
                () -> "Database %s could not commit (%s).".formatted(file, fault.getMessage())),
        fault);
  }

  StoreUnavailableException overloaded(int waiting) {
    return new StoreUnavailableException(
        ErrorCode.OVERLOADED,
        "Database %s has %d pieces of work waiting, which is the most. Try again later."
            .formatted(file, waiting),
        null);
  }

  StoreUnavailableException closed() {
    return new StoreUnavailableException(
        ErrorCode.INTERNAL, "Database %s has been closed.".formatted(file), null);
  }

  static boolean isFull(SQLException fault) {
    return primaryCode(fault) == FULL;
  }

  static boolean isBusy(SQLException fault) {
    return primaryCode(fault) == BUSY;
  }

  static boolean isDamage(SQLException fault) {
    int code = primaryCode(fault);
    return code == CORRUPT || code == NOT_A_DATABASE;
  }

  static boolean isNotADatabase(SQLException fault) {
    return primaryCode(fault) == NOT_A_DATABASE;
  }

  static boolean isReadOnly(SQLException fault) {
    return primaryCode(fault) == READ_ONLY;
  }

  private static int primaryCode(SQLException fault) {
    return fault instanceof SQLiteException sqlite ? sqlite.getResultCode().code & PRIMARY : -1;
  }
}
