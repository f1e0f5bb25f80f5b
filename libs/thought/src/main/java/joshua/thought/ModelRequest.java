package joshua.thought;

import java.util.List;

/**
 * One request to a model.
 *
 * @param tools the queries that it may call; nothing else is ever offered
 * @param deadline when the complete answer must have ended
 */
public record ModelRequest(
    String system, List<ModelMessage> messages, List<QuerySpec> tools, StageDeadline deadline) {
  public ModelRequest {
    messages = List.copyOf(messages);
    tools = List.copyOf(tools);
  }
}
