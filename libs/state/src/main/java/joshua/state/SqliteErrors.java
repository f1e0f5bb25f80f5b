package joshua.state;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Objects;
import joshua.kernel.ErrorCode;
import org.jspecify.annotations.Nullable;
import org.sqlite.NativeLibraryNotFoundException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** The errors of a SQLite file, as sentences that say what to do. */
record SqliteErrors(Path file) {
  private static final int PRIMARY = 0xff;

  /** Null if the statement was at fault. */
  private @Nullable String sentence(SQLException failure) {
    if (failure.getCause() instanceof NativeLibraryNotFoundException) {
      return "SQLite's machine code can't be unpacked to %s and loaded. Look whether its disk is full or mounted noexec; -Dorg.sqlite.tmpdir in JAVA_TOOL_OPTIONS names another directory."
          .formatted(file.resolveSibling("sqlite"));
    }
    String said = String.valueOf(failure.getMessage());
    return switch (code(failure)) {
      case SQLITE_FULL ->
          "The disk with the database %s is full. Make room on it; nothing needs repair."
              .formatted(file);
      case SQLITE_BUSY ->
          "The database %s is locked by another process. Find it (fuser %s) and end it, or wait."
              .formatted(file, file);
      case SQLITE_READONLY ->
          "The database %s can't be written to. Make the file and its directory writable for the user that Joshua runs as."
              .formatted(file);
      case SQLITE_CANTOPEN ->
          "The database %s can't be opened. Make the file and its directory readable and writable for the user that Joshua runs as."
              .formatted(file);
      case SQLITE_IOERR ->
          "The database %s could not be read or written (%s). Look whether its disk is full, over quota or broken."
              .formatted(file, said);
      case SQLITE_CORRUPT, SQLITE_NOTADB -> damaged(said);
      default -> null;
    };
  }

  /** The failure as a {@link StoreException}, unless the statement was at fault. */
  RuntimeException explained(StatementException failed) {
    String sentence = sentence(failed.failure());
    return sentence == null ? failed : new StoreException(sentence, failed);
  }

  /** The sentence for a database that can't be opened. */
  String opening(StatementException failed) {
    return Objects.requireNonNullElseGet(
        sentence(failed.failure()),
        () ->
            "The database %s can't be opened (%s).".formatted(file, failed.failure().getMessage()));
  }

  /** Whether a statement was interrupted by its timeout. */
  static boolean isInterrupted(SQLException failure) {
    return code(failure) == SQLiteErrorCode.SQLITE_INTERRUPT;
  }

  private static SQLiteErrorCode code(SQLException failure) {
    return failure instanceof SQLiteException sqlite
        ? SQLiteErrorCode.getErrorCode(sqlite.getResultCode().code & PRIMARY)
        : SQLiteErrorCode.UNKNOWN_ERROR;
  }

  /** The failure of a job or read for which there is no room. */
  StoreException overloaded() {
    return new StoreException(
        ErrorCode.OVERLOADED,
        "The database %s doesn't keep up with what is asked of it. Try again in some seconds."
            .formatted(file),
        null);
  }

  StoreException closed() {
    return new StoreException(file + " has been closed.", null);
  }

  String damaged(String finding) {
    return "The database %s is damaged (%s). Stop Joshua, keep a copy of the file, and restore a backup."
        .formatted(file, finding);
  }
}
