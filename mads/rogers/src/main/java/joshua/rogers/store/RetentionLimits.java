package joshua.rogers.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import joshua.conversation.EnvelopeCodec;

/**
 * How much of the history is kept: rows beyond either limit are deleted, the oldest first.
 *
 * @param rows of each table
 */
public record RetentionLimits(int rows, Duration age) {
  public static final RetentionLimits DEFAULT = new RetentionLimits(100_000, Duration.ofDays(90));

  /** How many rows one write deletes, so that a lowered limit holds up no other write for long. */
  static final int PRUNED_TOGETHER = 5_000;

  /**
   * Deletes rows that are too old or too many.
   *
   * @param table has a column {@code at}, and {@code id}, which grows
   */
  public void prune(Connection connection, String table, String id, Instant now)
      throws SQLException {
    String sql =
        """
        delete from %1$s where %2$s in (
          select %2$s from %1$s
          where %2$s <= (select max(%2$s) from %1$s) - ? or at < ?
          order by %2$s limit ?)
        """
            .formatted(table, id);
    try (PreparedStatement delete = connection.prepareStatement(sql)) {
      delete.setInt(1, rows);
      delete.setString(2, EnvelopeCodec.timestamp(now.minus(age)));
      delete.setInt(3, PRUNED_TOGETHER);
      delete.executeUpdate();
    }
  }
}
