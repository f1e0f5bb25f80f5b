package joshua.rogers.presence;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import joshua.state.Database;
import joshua.state.StoreUnavailableException;
import joshua.tasks.model.RequesterNames;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The participants that a question to Rogers may name: those heard last, up to a thousand, and all
 * requesters of tasks.
 */
public record NameableParticipants(Database database, RequesterNames requesters)
    implements Supplier<Set<String>> {
  private static final Logger log = LoggerFactory.getLogger(NameableParticipants.class);

  public NameableParticipants(Database database) {
    this(database, new RequesterNames(database));
  }

  @Override
  public Set<String> get() {
    Set<String> names = new HashSet<>(requesters.get());
    String sql = "select mad_id from connections order by last_heartbeat desc limit 1000";
    try {
      return database.read(connection -> {
        try (PreparedStatement statement = connection.prepareStatement(sql);
            ResultSet found = statement.executeQuery()) {
          while (found.next()) {
            names.add(found.getString("mad_id"));
          }
        }
        return names;
      });
    } catch (StoreUnavailableException e) {
      log.warn("participants can't be read; their names in questions aren't understood", e);
      return names;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return names;
    }
  }
}
