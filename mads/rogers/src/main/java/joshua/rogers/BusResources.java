package joshua.rogers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.Ids;
import joshua.kernel.Json;
import joshua.network.Caller;
import joshua.network.Peer;
import joshua.network.mcp.ResourceProvider;
import joshua.network.mcp.Subscription;
import joshua.network.mcp.Watchers;
import joshua.state.Database;
import joshua.state.StoreUnavailable;

/**
 * The bus as MCP resources to be read and watched: who is there, the counts of the last day, and
 * single exchanges. They read as the tools answer.
 */
final class BusResources implements ResourceProvider {
  static final String CONNECTIONS = "rogers://connections";
  static final String STATS = "rogers://stats";
  static final String CONVERSATION = "rogers://conversations/";

  private static final String JSON = "application/json";
  private static final int HOURS = 24;

  static final List<Resource> RESOURCES =
      List.of(
          new Resource(
              CONNECTIONS,
              "connections",
              "Who is on the bus",
              "Every participant with its state and why, as rogers_get_connections gives it."
                  + " Subscribe to be told when a state changes.",
              JSON),
          new Resource(
              STATS,
              "stats",
              "Message counts of the last 24 hours",
              "By hour, sender and kind of channel, as rogers_get_stats gives it. Subscribe to be"
                  + " told when counts change, once a second at most.",
              JSON));

  static final List<Template> TEMPLATES =
      List.of(
          new Template(
              CONVERSATION + "{conversation_id}",
              "conversation",
              "An exchange",
              "The messages of an exchange in their order, as rogers_get_conversation gives them."
                  + " Subscribe to be told of more.",
              JSON));

  private final Database database;
  private final Exchanges exchanges;
  private final InstantSource time;
  private final Watchers watchers;

  BusResources(Database database, Exchanges exchanges, InstantSource time, Watchers watchers) {
    this.database = database;
    this.exchanges = exchanges;
    this.time = time;
    this.watchers = watchers;
  }

  @Override
  public List<Resource> list(Caller caller) {
    return RESOURCES;
  }

  @Override
  public List<Template> templates() {
    return TEMPLATES;
  }

  @Override
  public Optional<Contents> read(String uri, Caller caller, Peer peer) throws InterruptedException {
    try {
      Optional<ObjectNode> content =
          switch (uri) {
            case CONNECTIONS -> Optional.of(ConnectionsTool.list(database, null));
            case STATS ->
                Optional.of(StatsTool.count(Json.object().put("hours", HOURS), database, time));
            default -> conversation(uri, caller);
          };
      return content.map(tree -> new Contents.Text(JSON, Json.write(tree)));
    } catch (StoreUnavailable e) {
      throw new IllegalStateException(uri + " can't be read", e);
    }
  }

  private Optional<ObjectNode> conversation(String uri, Caller caller)
      throws StoreUnavailable, InterruptedException {
    Optional<UUID> id = idIn(uri);
    return id.isEmpty()
        ? Optional.empty()
        : Optional.of(exchanges.read(Exchanges.By.CONVERSATION, id.get(), exchanges.sight(caller)));
  }

  /** An exchange may be watched before anything of it has been said. */
  @Override
  public Optional<Subscription> watch(String uri, Caller caller, Runnable changed) {
    return switch (uri) {
      case CONNECTIONS, STATS -> Optional.of(watchers.add(uri, changed));
      default ->
          idIn(uri)
              .map(id ->
                  watchers.add(new WatchedExchange(id, exchanges.sight(caller)).key(), changed));
    };
  }

  /**
   * An exchange as somebody watches it, who is told of what it sees and of nothing else.
   *
   * @param sight of whoever watches
   */
  record WatchedExchange(UUID id, Sight sight) {
    private static final char FOR = '#';

    /** What it goes by among what is watched. */
    String key() {
      return CONVERSATION + id + sight.viewer().map(viewer -> FOR + viewer).orElse("");
    }

    static WatchedExchange of(String key) {
      int mark = key.indexOf(FOR);
      String uri = mark < 0 ? key : key.substring(0, mark);
      return new WatchedExchange(
          idIn(uri).orElseThrow(),
          new Sight(mark < 0 ? Optional.empty() : Optional.of(key.substring(mark + 1))));
    }
  }

  static Optional<UUID> idIn(String uri) {
    return uri.startsWith(CONVERSATION)
        ? Ids.parseUuid(uri.substring(CONVERSATION.length()))
        : Optional.empty();
  }
}
