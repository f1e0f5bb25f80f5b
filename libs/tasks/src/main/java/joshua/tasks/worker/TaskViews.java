package joshua.tasks.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import joshua.kernel.Json;
import joshua.ssh.StateView;
import joshua.state.Database;
import joshua.state.StoreUnavailableException;
import joshua.tasks.model.TaskState;
import joshua.tasks.store.SqlStatements;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The admins' view of tasks as a whole; owners are left out, since not every admin may see them.
 */
public final class TaskViews {
  /** The maximum number of running tasks listed. */
  private static final int LISTED = 200;

  private static final Logger log = LoggerFactory.getLogger(TaskViews.class);

  private TaskViews() {}

  /** The number of tasks in each state, and the running ones. */
  public static StateView tasks(Database database) {
    return new StateView(
        "tasks",
        "How many tasks there are by state, and what runs now.",
        () -> read(database, TaskViews::counts));
  }

  /** A part of the state that is read from a database; if that fails, a sentence that says so. */
  public static JsonNode read(Database database, Database.Work<? extends JsonNode> work) {
    try {
      return database.read(work);
    } catch (StoreUnavailableException e) {
      log.warn("a state can't be shown: {}", e.getMessage());
      return Json.object().put("problem", "the database can't be read now; the log says why");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Json.object().put("problem", "it was stopped");
    }
  }

  private static ObjectNode counts(Connection connection) throws SQLException {
    ObjectNode json = Json.object();
    for (TaskState state : TaskState.values()) {
      json.put(state.name().toLowerCase(Locale.ROOT), 0);
    }
    SqlStatements.rows(
        connection,
        """
        select status, count(*) from tasks where question = 0 group by status
        """,
        row -> json.put(row.getString(1).toLowerCase(Locale.ROOT), row.getLong(2)));
    ArrayNode running = json.putArray("running_now");
    SqlStatements.rows(
        connection,
        """
        select task_id, status, attempt, started_at from tasks
        where status in ('RUNNING', 'STREAMING') and question = 0
        order by started_at limit ?
        """,
        row ->
            running
                .addObject()
                .put("task_id", row.getString(1))
                .put("status", row.getString(2))
                .put("attempt", row.getInt(3))
                .put("started_at", row.getString(4)),
        LISTED);
    return json;
  }
}
