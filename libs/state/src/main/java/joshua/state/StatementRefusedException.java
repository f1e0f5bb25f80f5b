package joshua.state;

import java.nio.file.Path;
import java.sql.SQLException;

/**
 * Thrown when SQLite refuses a statement because of its content: a violated constraint, a missing
 * column. The database is well; the caller's code is at fault.
 */
public final class StatementRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StatementRefusedException(Path file, SQLException cause) {
    super("A statement on " + file + " was refused: " + cause.getMessage(), cause);
  }
}
