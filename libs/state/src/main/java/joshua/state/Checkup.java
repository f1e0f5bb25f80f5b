package joshua.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Whether a database is whole. */
final class Checkup {
  private static final List<String> WHOLE = List.of("ok");

  private Checkup() {}

  /**
   * Whether the last to have the file open didn't close it: whoever does takes the write-ahead log
   * away. Also true while another process has it open.
   */
  static boolean wasLeftOpen(Path file) throws IOException {
    Path log = file.resolveSibling(file.getFileName() + "-wal");
    return Files.exists(log) && Files.size(log) > 0;
  }

  /** Checks everything but the indexes' agreement with their tables. */
  static void quick(Path file, Connection connection) throws SQLException, CannotOpen {
    List<String> findings = Connections.texts(connection, "pragma quick_check(1)");
    if (!findings.equals(WHOLE)) {
      throw new CannotOpen(new Faults(file).damaged(findings.getFirst()));
    }
  }
}
