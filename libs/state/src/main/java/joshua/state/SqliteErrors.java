package joshua.state;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import joshua.kernel.ErrorCode;
import org.jspecify.annotations.Nullable;
import org.sqlite.NativeLibraryNotFoundException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What is wrong with a file of SQLite, in a sentence that says what to do. */
record SqliteErrors(Path file) {
  private static final int PRIMARY = 0xff;

  /** Empty if the statement was at fault. */
  Optional<String> sentence(SQLException failure) {
    if (failure.getCause() instanceof NativeLibraryNotFoundException) {
      return Optional.of(
          "SQLite's machine code can't be unpacked to %s and loaded. Look whether its disk is full or mounted noexec; -Dorg.sqlite.tmpdir in JAVA_TOOL_OPTIONS names another directory."
              .formatted(file.resolveSibling("sqlite")));
    }
    return Optional.ofNullable(sentence(code(failure), String.valueOf(failure.getMessage())));
  }

  /** The failure as a {@link StoreException}, unless the statement was at fault. */
  RuntimeException explained(StatementException failed) {
    return sentence(failed.failure())
        .<RuntimeException>map(sentence -> new StoreException(sentence, failed))
        .orElse(failed);
  }

  /** Whether a statement took longer than it was given. */
  static boolean isInterrupted(SQLException failure) {
    return code(failure) == SQLiteErrorCode.SQLITE_INTERRUPT;
  }

  private static SQLiteErrorCode code(SQLException failure) {
    return failure instanceof SQLiteException sqlite
        ? SQLiteErrorCode.getErrorCode(sqlite.getResultCode().code & PRIMARY)
        : SQLiteErrorCode.UNKNOWN_ERROR;
  }

  private @Nullable String sentence(SQLiteErrorCode code, String said) {
    return switch (code) {
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

  /** More waits for the database than it does in time. */
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
