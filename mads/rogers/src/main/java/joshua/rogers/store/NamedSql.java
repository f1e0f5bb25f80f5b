package joshua.rogers.store;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import joshua.state.Database;
import joshua.state.StoreUnavailableException;
import joshua.tasks.store.SqlQuery;
import org.jspecify.annotations.Nullable;

/** A reading SQL statement with parameters by name: {@code :since}. Values are bound. */
public record NamedSql(String text, List<String> parameters) {
  private static final Pattern PARAMETER = Pattern.compile(":([a-z][a-z_]*)");

  /** The values of parameters, by name. */
  @FunctionalInterface
  public interface Values extends Function<String, @Nullable Object> {}

  public static NamedSql of(String sql) {
    return new NamedSql(
        PARAMETER.matcher(sql).replaceAll("?"),
        PARAMETER.matcher(sql).results().map(found -> found.group(1)).toList());
  }

  /** The rows that it finds, on a connection that can't write. */
  public ArrayNode rows(Database database, Values values)
      throws StoreUnavailableException, InterruptedException {
    return database.read(connection -> rows(connection, values));
  }

  public ArrayNode rows(Connection connection, Values values) throws SQLException {
    try (PreparedStatement prepared = connection.prepareStatement(text)) {
      for (int i = 0; i < parameters.size(); i++) {
        prepared.setObject(i + 1, values.apply(parameters.get(i)));
      }
      return SqlQuery.rows(prepared);
    }
  }
}
