package joshua.grace.tool;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.grace.queue.ClientPresence.ClientView;
import joshua.kernel.Identifiers;
import joshua.kernel.Json;
import joshua.network.Caller;
import joshua.network.ResourceProvider;

/**
 * The MCP resource of a client's queue state, for clients that prefer notifications to polling
 * (+GR-06). Reading it takes nothing.
 */
public record QueueResource(RelayParts relay) implements ResourceProvider {
  private static final String URI = "grace://clients/%s/queue";
  private static final Pattern FORM = Pattern.compile(URI.formatted("([^/]+)"));
  private static final String JSON = "application/json";

  private record State(@JsonUnwrapped ClientView client, int queueLimit, String epoch) {}

  @Override
  public List<Resource> resources(Caller caller) {
    return caller
        .identity()
        .or(() -> caller.connection().defaults().clientId())
        .map(id -> resource(id, "Your queue"))
        .stream()
        .toList();
  }

  @Override
  public List<Resource> templates() {
    return List.of(resource("{client_id}", "A client's queue"));
  }

  private static Resource resource(String clientId, String title) {
    String text =
        "How much waits, and what was missed. Subscribe to be told when messages come; take them"
            + " with grace_poll_messages.";
    return new Resource(URI.formatted(clientId), "queue", title, text, JSON);
  }

  @Override
  public Optional<Contents> read(String uri, Caller caller) {
    return clientId(uri, caller)
        .flatMap(relay.presence()::view)
        .map(
            client -> new State(client, relay.queues().limits().messages(), relay.queues().epoch()))
        .map(state -> new Contents(JSON, Json.mapper().valueToTree(state).toString(), false));
  }

  @Override
  public Optional<Runnable> watch(String uri, Caller caller, Runnable changed) {
    return clientId(uri, caller).map(id -> relay.presence().watch(id, changed));
  }

  private Optional<String> clientId(String uri, Caller caller) {
    return Optional.of(FORM.matcher(uri))
        .filter(Matcher::matches)
        .map(found -> found.group(1))
        .filter(Identifiers::isName)
        .filter(id -> relay.context().access().refuseActingAs(caller, "client_id", id).isEmpty());
  }
}
