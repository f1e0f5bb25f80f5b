package joshua.state;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
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
    int code =
        failure instanceof SQLiteException sqlite ? sqlite.getResultCode().code & PRIMARY : -1;
    return Optional.ofNullable(sentence(code, failure.getMessage()));
  }

  private @Nullable String sentence(int code, @Nullable String said) {
    if (code == SQLiteErrorCode.SQLITE_FULL.code) {
      return "The disk with the database %s is full. Make room on it; nothing needs repair."
          .formatted(file);
    }
    if (code == SQLiteErrorCode.SQLITE_BUSY.code) {
      return "The database %s is locked by another process. Find it (fuser %s) and end it, or wait."
          .formatted(file, file);
    }
    if (code == SQLiteErrorCode.SQLITE_READONLY.code) {
      return "The database %s can't be written to. Make the file and its directory writable for the user that Joshua runs as."
          .formatted(file);
    }
    if (code == SQLiteErrorCode.SQLITE_CANTOPEN.code) {
      return "The database %s can't be opened. Make the file and its directory readable and writable for the user that Joshua runs as."
          .formatted(file);
    }
    if (code == SQLiteErrorCode.SQLITE_IOERR.code) {
      return "The database %s could not be read or written (%s). Look whether its disk is full, over quota or broken."
          .formatted(file, said);
    }
    if (code == SQLiteErrorCode.SQLITE_CORRUPT.code || code == SQLiteErrorCode.SQLITE_NOTADB.code) {
      return damaged(String.valueOf(said));
    }
    return null;
  }

  String damaged(String finding) {
    return "The database %s is damaged (%s). Stop Joshua, keep a copy of the file, and restore a backup."
        .formatted(file, finding);
  }
}
