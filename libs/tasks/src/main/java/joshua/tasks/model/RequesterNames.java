package joshua.tasks.model;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import joshua.state.Database;
import joshua.state.StoreUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The requesters that a question may name: all that have a task, up to a thousand. */
public record RequesterNames(Database database) implements Supplier<Set<String>> {
  private static final Logger log = LoggerFactory.getLogger(RequesterNames.class);

  @Override
  public Set<String> get() {
    // Jumps from one name to the next by the index, however many tasks each has.
    String sql =
        """
        with recursive names(name) as (
          select min(requester_id) from tasks
          union all
          select (select min(requester_id) from tasks where requester_id > name)
          from names where name is not null)
        select name from names where name is not null limit 1000
        """;
    try {
      return database.read(connection -> {
        Set<String> names = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(sql);
            ResultSet found = statement.executeQuery()) {
          while (found.next()) {
            names.add(found.getString("name"));
          }
        }
        return names;
      });
    } catch (StoreUnavailableException e) {
      log.warn("requesters can't be read; names in questions aren't understood", e);
      return Set.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Set.of();
    }
  }
}
