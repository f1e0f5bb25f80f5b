package joshua.rogers.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.mcp.ChangeWatchers;
import joshua.network.mcp.ResourceProvider;
import joshua.network.mcp.ResourceSubscription;
import joshua.rogers.journal.JournalExchanges;
import joshua.rogers.store.ReadPermission;
import joshua.state.Database;
import joshua.state.StoreUnavailableException;

/**
 * The bus as MCP resources that can be read and watched: who is there, the counts of the last day,
 * and single exchanges. Reading one returns what the tools return.
 */
public final class BusResources implements ResourceProvider {
  static final String CONNECTIONS = "rogers://connections";
  static final String STATS = "rogers://stats";
  static final String CONVERSATION = "rogers://conversations/";

  private static final String JSON = "application/json";
  private static final int HOURS = 24;

  public static final List<Resource> RESOURCES =
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

  public static final List<Template> TEMPLATES =
      List.of(
          new Template(
              CONVERSATION + "{conversation_id}",
              "conversation",
              "An exchange",
              "The messages of an exchange in their order, as rogers_get_conversation gives them."
                  + " Subscribe to be told of more.",
              JSON));

  private final Database database;
  private final JournalExchanges journalExchanges;
  private final InstantSource time;
  private final ChangeWatchers changeWatchers;

  public BusResources(
      Database database,
      JournalExchanges journalExchanges,
      InstantSource time,
      ChangeWatchers changeWatchers) {
    this.database = database;
    this.journalExchanges = journalExchanges;
    this.time = time;
    this.changeWatchers = changeWatchers;
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
  public Optional<Contents> read(String uri, Caller caller, CallContext callContext)
      throws InterruptedException {
    try {
      Optional<ObjectNode> content =
          switch (uri) {
            case CONNECTIONS -> Optional.of(ConnectionsTool.list(database, null));
            case STATS ->
                Optional.of(StatsTool.count(Json.object().put("hours", HOURS), database, time));
            default -> conversation(uri, caller);
          };
      return content.map(tree -> new Contents.Text(JSON, Json.write(tree)));
    } catch (StoreUnavailableException e) {
      throw new IllegalStateException(uri + " can't be read", e);
    }
  }

  private Optional<ObjectNode> conversation(String uri, Caller caller)
      throws StoreUnavailableException, InterruptedException {
    Optional<UUID> id = idIn(uri);
    return id.isEmpty()
        ? Optional.empty()
        : Optional.of(
            journalExchanges.read(
                JournalExchanges.By.CONVERSATION, id.get(), journalExchanges.sight(caller)));
  }

  /** An exchange may be watched before its first message. */
  @Override
  public Optional<ResourceSubscription> watch(String uri, Caller caller, Runnable changed) {
    return switch (uri) {
      case CONNECTIONS, STATS -> Optional.of(changeWatchers.add(uri, changed));
      default ->
          idIn(uri)
              .map(id ->
                  changeWatchers.add(
                      new WatchedExchange(id, journalExchanges.sight(caller)).key(), changed));
    };
  }

  /**
   * An exchange as one caller watches it, which is notified only about what it may see.
   *
   * @param sight what the watching caller may read
   */
  record WatchedExchange(UUID id, ReadPermission sight) {
    private static final char FOR = '#';

    /** Its key among the watched resources. */
    String key() {
      return CONVERSATION + id + sight.viewer().map(viewer -> FOR + viewer).orElse("");
    }

    static WatchedExchange of(String key) {
      int mark = key.indexOf(FOR);
      String uri = mark < 0 ? key : key.substring(0, mark);
      return new WatchedExchange(
          idIn(uri).orElseThrow(),
          new ReadPermission(mark < 0 ? Optional.empty() : Optional.of(key.substring(mark + 1))));
    }
  }

  static Optional<UUID> idIn(String uri) {
    return uri.startsWith(CONVERSATION)
        ? BusIdentifiers.parseUuid(uri.substring(CONVERSATION.length()))
        : Optional.empty();
  }
}
