package joshua.state;

import java.io.Serial;
import java.sql.SQLException;

/** The failure of a statement. */
final class StatementException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final SQLException failure;

  StatementException(String sql, SQLException failure) {
    super("%s, in: %s".formatted(failure.getMessage(), sql), failure);
    this.failure = failure;
  }

  SQLException failure() {
    return failure;
  }
}
