package joshua.fiedler;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import joshua.kernel.Json;
import joshua.ssh.StateView;
import joshua.state.Database;
import joshua.tasks.model.QueryFilter;
import joshua.tasks.worker.TaskViews;
import joshua.thought.LanguageModel;
import joshua.thought.LanguageModels;
import joshua.thought.Query;
import joshua.thought.QuerySpec;
import joshua.thought.UserPrompt;

/** The queries about Fiedler itself: what it is, which models it has, how busy it is. */
final class ServiceQueries {
  private ServiceQueries() {}

  static List<Query> of(FiedlerConfig config, LanguageModels languageModels, Database database) {
    return List.of(
        new Rows(FiedlerQueries.MODELS, () -> models(languageModels)),
        new Rows(FiedlerQueries.QUEUE, () -> queues(config, database)),
        new Rows(FiedlerQueries.SERVICE, () -> service(config, languageModels, database)));
  }

  /** Its state as admins see it. */
  static List<StateView> views(
      FiedlerConfig config, LanguageModels languageModels, Database database) {
    return List.of(
        new StateView(
            "queue",
            "How busy Fiedler is: what waits and runs, and the limits.",
            () -> TaskViews.read(database, connection -> queue(config, connection))),
        new StateView(
            "models", "The language models; the first answers.", () -> models(languageModels)));
  }

  /** Returns rows. */
  @FunctionalInterface
  private interface Source {
    ArrayNode rows() throws Exception;
  }

  /** A query without arguments. */
  private record Rows(QuerySpec spec, Source source) implements Query {
    @Override
    public ArrayNode run(ObjectNode arguments, UserPrompt userPrompt) throws Exception {
      return source.rows();
    }
  }

  private static ArrayNode models(LanguageModels languageModels) {
    ArrayNode rows = Json.shared().createArrayNode();
    List<LanguageModel> list = languageModels.list();
    for (int i = 0; i < list.size(); i++) {
      rows.addObject()
          .put("model", list.get(i).name())
          .put("provider", list.get(i).provider())
          .put("answers_converse", i == 0);
    }
    return rows;
  }

  private static ArrayNode queues(FiedlerConfig config, Database database) throws Exception {
    ObjectNode row = database.read(connection -> queue(config, connection));
    return Json.shared().createArrayNode().add(row);
  }

  private static ObjectNode queue(FiedlerConfig config, Connection connection) throws SQLException {
    String sql =
        """
        select coalesce(sum(status = 'PENDING'), 0) as waiting,
               coalesce(sum(status <> 'PENDING'), 0) as running,
               min(case when status = 'PENDING' then created_at end) as oldest
        from tasks where status in ('PENDING', 'RUNNING', 'STREAMING') and question = 0
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet found = statement.executeQuery()) {
      found.next();
      return Json.object()
          .put("waiting", found.getLong("waiting"))
          .put("running", found.getLong("running"))
          .put("may_wait", config.tasks().queued())
          .put("may_run_at_once", config.tasks().running())
          .put("oldest_waits_since", found.getString("oldest"));
    }
  }

  private static ArrayNode service(
      FiedlerConfig config, LanguageModels languageModels, Database database) throws Exception {
    long recovered = database.read(connection -> recovered(connection, config));
    ObjectNode row =
        Json.object()
            .put("version", config.version())
            .put("up_since", config.upSince().toString())
            .put("recovered_tasks", recovered)
            .put(
                "model_provider",
                languageModels.first().map(LanguageModel::provider).orElse("none"));
    return Json.shared().createArrayNode().add(row);
  }

  /** Tasks begun before this process started that had to be started again. */
  private static long recovered(Connection connection, FiedlerConfig config) throws SQLException {
    String sql =
        """
        select count(*) from tasks
        where attempt > 1 and created_at < ? and updated_at >= ? and question = 0
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      String start = QueryFilter.stored(config.upSince());
      statement.setString(1, start);
      statement.setString(2, start);
      try (ResultSet found = statement.executeQuery()) {
        return found.next() ? found.getLong(1) : 0;
      }
    }
  }
}
