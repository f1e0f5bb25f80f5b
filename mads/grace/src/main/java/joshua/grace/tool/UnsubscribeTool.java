package joshua.grace.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.conversation.ChannelPattern;
import joshua.grace.presence.ClientPresence;
import joshua.grace.queue.ClientQueues;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Tool;
import joshua.network.ToolAnnotations;
import joshua.network.ToolCall;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;

/**
 * {@code grace_unsubscribe}: unfollows topics, or all of them and closes the queue (wire contract
 * §3).
 */
public final class UnsubscribeTool implements Tool {
  public static final ToolSpec SPEC =
      new ToolSpec(
              "grace_unsubscribe",
              "Unsubscribe",
              "Gives up the named topics, or, without topics, all of them and the queue with what"
                  + " waits in it. The answer's topics are those still followed.",
              GraceSchemas.of(
                  """
                  {"type":"object","additionalProperties":false,"required":["client_id"],"properties":{
                    "client_id":"@clientId",
                    "topics":{"anyOf":[{"type":"array","minItems":1,"maxItems":1000,"items":{"type":"string","maxLength":256}},{"type":"null"}]}}}\
                  """),
              GraceSchemas.of(
                  """
                  {"type":"object","required":["status","topics"],"properties":{
                    "status":{"const":"success"},
                    "topics":"@topics"}}\
                  """),
              new ToolAnnotations(false, true, true, false))
          .openTo(Role.VIEWER);

  private final ClientQueues queues;
  private final ClientPresence presence;

  public UnsubscribeTool(ClientQueues queues, ClientPresence presence) {
    this.queues = queues;
    this.presence = presence;
  }

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public Answer begin(ToolCall call) {
    String clientId = call.input().path("client_id").asText();
    JsonNode names = call.input().path("topics");
    List<ChannelPattern> topics = new ArrayList<>();
    Optional<Refusal> refusal =
        SenderCheck.refusal(call.caller(), clientId)
            .or(() -> SubscribeTool.readTopics(names, topics));
    if (refusal.isPresent()) {
      return Answer.of(new ToolResult.Refused(refusal.get()));
    }
    Optional<ClientQueues.Remaining> remaining =
        queues.unfollow(clientId, names.isArray() ? Optional.of(topics) : Optional.empty());
    if (remaining.isEmpty()) {
      return Answer.of(new ToolResult.Refused(PollTool.notSubscribed(clientId, Optional.empty())));
    }
    if (remaining.get().left()) {
      presence.left(clientId, "unsubscribed");
    }
    ObjectNode output = Json.object();
    output.put("status", "success");
    ArrayNode left = output.putArray("topics");
    remaining.get().topics().forEach(topic -> left.add(topic.text()));
    return Answer.of(new ToolResult.Success(output));
  }
}
