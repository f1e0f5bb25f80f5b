package joshua.tasks.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import joshua.state.Database;
import joshua.state.StoreUnavailableException;
import joshua.thought.ConversationHistory;
import joshua.thought.ConversationTurn;
import joshua.thought.UserPrompt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The earlier turns of a conversation, read from its completed tasks. */
public record TaskHistory(Database database) implements ConversationHistory {
  private static final Logger log = LoggerFactory.getLogger(TaskHistory.class);

  /**
   * Whether a work task has ended in the prompt's conversation before: then a model took part in
   * it.
   */
  public boolean hasWork(UserPrompt userPrompt) {
    String sql =
        """
        select 1 from tasks
        where conversation_id = ? and requester_id = ? and question = 0
          and status in ('COMPLETED', 'FAILED')
        limit 1
        """;
    try {
      return database.read(connection ->
          SqlStatements.row(
                  connection,
                  sql,
                  row -> true,
                  userPrompt.conversationId().toString(),
                  userPrompt.requesterId())
              .isPresent());
    } catch (StoreUnavailableException e) {
      log.warn("conversation {} can't be read", userPrompt.conversationId(), e);
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public List<ConversationTurn> turns(UUID conversationId, String requesterId, int atMost) {
    String sql =
        """
        select prompt, json_extract(result_payload, '$.text') as text from tasks
        where conversation_id = ? and requester_id = ? and status = 'COMPLETED'
          and json_extract(result_payload, '$.text') is not null
        order by task_id desc limit ?
        """;
    try {
      return database.read(connection -> {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
          statement.setString(1, conversationId.toString());
          statement.setString(2, requesterId);
          statement.setInt(3, atMost);
          List<ConversationTurn> turns = new ArrayList<>();
          try (ResultSet found = statement.executeQuery()) {
            while (found.next()) {
              turns.add(new ConversationTurn(found.getString("prompt"), found.getString("text")));
            }
          }
          return turns.reversed();
        }
      });
    } catch (StoreUnavailableException e) {
      log.warn("conversation {} can't be read; it is answered without", conversationId, e);
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }
}
