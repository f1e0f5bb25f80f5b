package joshua.state;

import java.nio.file.Path;
import java.sql.SQLException;

/**
 * A statement that SQLite refused for what it says: a violated constraint, a column that isn't
 * there. The database is well; whoever wrote the statement should know.
 */
public final class StatementRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StatementRefusedException(Path file, SQLException cause) {
    super("A statement on " + file + " was refused: " + cause.getMessage(), cause);
  }
}
