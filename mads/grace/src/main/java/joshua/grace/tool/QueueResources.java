package joshua.grace.tool;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.conversation.ChannelPattern;
import joshua.grace.GraceConfig;
import joshua.grace.meter.MissedMessages;
import joshua.grace.queue.ClientQueue;
import joshua.grace.queue.ClientQueues;
import joshua.grace.queue.CursorCodec;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.mcp.ChangeWatchers;
import joshua.network.mcp.ResourceProvider;
import joshua.network.mcp.ResourceSubscription;

/**
 * The state of each client's queue as an MCP resource, {@code grace://clients/{client_id}/queue}; a
 * client that watches it is notified when messages wait (+GR-06). If tokens are configured, a
 * client sees only its own. Reading changes nothing, not even how recently a client was used.
 */
public final class QueueResources implements ResourceProvider {
  private static final String JSON = "application/json";
  private static final Pattern QUEUE = Pattern.compile("grace://clients/([^/]+)/queue");

  public static final List<Template> TEMPLATES =
      List.of(
          new Template(
              "grace://clients/{client_id}/queue",
              "queue",
              "A client's queue",
              "How many messages wait, which topics are followed, what was missed. Subscribe to be"
                  + " told when messages wait; take them with grace_poll_messages.",
              JSON));

  private final GraceConfig config;
  private final ClientQueues queues;
  private final ChangeWatchers changeWatchers;
  private final CursorCodec cursorCodec;

  public QueueResources(
      GraceConfig config,
      ClientQueues queues,
      ChangeWatchers changeWatchers,
      CursorCodec cursorCodec) {
    this.config = config;
    this.queues = queues;
    this.changeWatchers = changeWatchers;
    this.cursorCodec = cursorCodec;
  }

  @Override
  public List<Resource> list(Caller caller) {
    return caller
        .identity()
        .map(id ->
            List.of(
                new Resource(
                    "grace://clients/%s/queue".formatted(id),
                    "queue",
                    "Your queue",
                    "What waits for you, and what you follow",
                    JSON)))
        .orElse(List.of());
  }

  @Override
  public List<Template> templates() {
    return TEMPLATES;
  }

  @Override
  public Optional<Contents> read(String uri, Caller caller, CallContext callContext) {
    return clientOf(uri, caller)
        .flatMap(
            id -> queues.look(clients -> clients.find(id).map(client -> State.of(client.queue()))))
        .map(state -> new Contents.Text(JSON, Json.write(tree(state))));
  }

  /** A queue as it looks from outside. */
  private record State(
      String clientId, int waiting, List<ChannelPattern> topics, Optional<MissedMessages> missed) {
    private static State of(ClientQueue queue) {
      return new State(
          queue.clientId(),
          queue.size(),
          List.copyOf(queue.topics().all()),
          queue.missed(queue.reached()));
    }
  }

  private ObjectNode tree(State state) {
    ObjectNode tree = Json.object();
    tree.put("client_id", state.clientId());
    tree.put("waiting", state.waiting());
    tree.put("queue_limit", config.queueLimit());
    ArrayNode topics = tree.putArray("topics");
    state.topics().forEach(topic -> topics.add(topic.text()));
    tree.put("epoch", cursorCodec.epoch());
    tree.set("gap", state.missed().map(MissedMessages::tree).orElse(null));
    return tree;
  }

  @Override
  public Optional<ResourceSubscription> watch(String uri, Caller caller, Runnable changed) {
    return clientOf(uri, caller).map(clientId -> changeWatchers.add(clientId, changed));
  }

  private static Optional<String> clientOf(String uri, Caller caller) {
    Matcher matcher = QUEUE.matcher(uri);
    return matcher.matches() && BusIdentifiers.isIdentifier(matcher.group(1))
        ? Optional.of(matcher.group(1)).filter(id -> SenderCheck.refusal(caller, id).isEmpty())
        : Optional.empty();
  }
}
