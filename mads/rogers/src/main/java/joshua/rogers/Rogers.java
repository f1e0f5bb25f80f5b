package joshua.rogers;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import joshua.conversation.BusConnection;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ConversationBus;
import joshua.conversation.envelope.ChannelPattern;
import joshua.kernel.Json;
import joshua.kernel.Recurring;
import joshua.kernel.ServiceLifecycle;
import joshua.network.Catalog;
import joshua.network.ReadinessCheck;
import joshua.network.Tool;
import joshua.rogers.console.Console;
import joshua.rogers.console.RecentMessages;
import joshua.rogers.console.RecentTool;
import joshua.rogers.count.BusTap;
import joshua.rogers.count.TrafficCounter;
import joshua.rogers.count.TrafficStore;
import joshua.rogers.incident.IncidentStore;
import joshua.rogers.presence.Registry.Thresholds;
import joshua.rogers.presence.RegistryStore;
import joshua.rogers.tool.ConversationTool;
import joshua.rogers.tool.CoverageCaveats;
import joshua.rogers.tool.MonitorTools;
import joshua.rogers.verb.RogersVerbs;
import joshua.service.RunningService;
import joshua.service.ServiceContext;
import joshua.service.ServiceDescriptor;
import joshua.service.StartedService;
import joshua.state.Database;
import joshua.state.Migration;
import joshua.state.query.NamedQueries;
import joshua.state.query.NamedQuery;
import joshua.tasks.Tasks;
import joshua.tasks.tool.PromptService;

/**
 * The bus monitor: receives and counts every message, and knows who is on the bus (REQ-RG-02…15).
 * It stores facts about messages; what participants say to each other is in memory alone, the last
 * of it, for the console.
 */
public final class Rogers {
  public static final ServiceDescriptor<RogersSettings> SERVICE =
      new ServiceDescriptor<>(
          "rogers",
          "The bus monitor: who is there, what flows, and what went wrong.",
          8002,
          2202,
          List.of("mad.*"),
          RogersSettings::new,
          RogersVerbs.ALL,
          (context, settings) ->
              start(
                  context,
                  settings.thresholds(),
                  settings.console(),
                  new PromptService.AnswerConfig(
                      settings.tasks().limits(),
                      settings.answers().model(),
                      settings.answers().imperator(Rogers.class),
                      true,
                      "")));

  private static final String INSTRUCTIONS =
      """
      Watches the bus. rogers_get_connections says who is there, in which state and why; \
      rogers_get_stats how many messages there were by hour, sender and kind of channel; \
      rogers_query answers other questions about the bus, each by a query of its own; \
      rogers_converse takes them in words, and answers with what was looked up.\
      """;

  private static final String CONVERSE =
      "Asks Rogers about the bus in words: who is there, what flows, what was lost, what is wrong."
          + " Answers at once with a task_id; wait: true waits for the answer, 45 s at most. Its"
          + " evidence is in the task's result_payload. \"help\" shows what can be asked.";

  private static final String QUERIES =
      "connections changes traffic channels talks rate losses unheard listeners dead_letters alarms"
          + " problems timeline not_seen";

  private Rogers() {}

  /**
   * Starts to monitor; all that is published after this returns is counted.
   *
   * @param page the configuration of the console
   * @param config the configuration of answers to prompts
   * @throws IOException with a sentence for the user
   */
  public static RunningService start(
      ServiceContext context,
      Thresholds thresholds,
      Console.Config page,
      PromptService.AnswerConfig config)
      throws IOException, BusUnavailableException, InterruptedException {
    return StartedService.of(parts -> start(context, thresholds, page, config, parts));
  }

  private static StartedService start(
      ServiceContext context,
      Thresholds thresholds,
      Console.Config page,
      PromptService.AnswerConfig config,
      ServiceLifecycle parts)
      throws IOException, BusUnavailableException, InterruptedException {
    BusConnection connection = context.bus();
    Database database =
        parts.add("database", Database.open(context.database(), migrations(), context.time()));
    RecentMessages recent = new RecentMessages(page.recent());
    TrafficCounter counter = new TrafficCounter(TrafficCounter.Limits.DEFAULT);
    BusTap tap = new BusTap(connection, counter, recent, context.time());
    parts.add("tap", connection.follow(ChannelPattern.ALL, tap));
    ConversationBus bus =
        new ConversationBus(
            connection,
            context.self(),
            context.time(),
            Json.object().put("tap", context.self().instance()));
    BusMonitor monitor = new BusMonitor(context, tap, database, thresholds, bus::sendAsync);
    parts.add("last second", monitor::stop); // which stores its own leave
    parts.add("bus", bus);
    PromptService prompts =
        parts.add(
            "prompts",
            new PromptService(
                bus,
                database,
                new NamedQueries(
                    queries(monitor::unread, context::selfDescription),
                    database,
                    context.time(),
                    new CoverageCaveats(database, monitor::isFull)::of),
                config,
                monitor::isKnown,
                context.access(),
                context.time(),
                context.metrics()));
    List<Tool<?>> tools = new ArrayList<>(prompts.tools(CONVERSE));
    tools.addAll(MonitorTools.of(database, context.time()));
    tools.add(new ConversationTool(bus).tool());
    RecentTool recentTool =
        new RecentTool(recent, context, since -> CoverageCaveats.of(database, since, null));
    tools.add(recentTool.tool());
    Catalog catalog =
        context
            .catalog("Joshua's bus monitor", INSTRUCTIONS, tools)
            .withPage(new Console(context, page));
    var monitoring = Thread.ofVirtual().name("monitor").factory();
    parts
        .add("seconds", Executors.newSingleThreadScheduledExecutor(monitoring))
        .scheduleAtFixedRate(Recurring.surviving(monitor::tick), 0, 1, TimeUnit.SECONDS);
    prompts.start(answers -> answers);
    bus.join();
    return new StartedService(
        catalog,
        List.of(
            context.busCheck(),
            new ReadinessCheck("database", database::problem),
            new ReadinessCheck("counting", monitor::problem)),
        prompts.remarks(),
        () -> {
          recentTool.stop();
          prompts.tasks().stopWaiting();
        },
        parts);
  }

  private static List<Migration> migrations() {
    return Stream.of(
            TrafficStore.MIGRATIONS,
            RegistryStore.MIGRATIONS,
            IncidentStore.MIGRATIONS,
            Tasks.MIGRATIONS)
        .flatMap(List::stream)
        .toList();
  }

  /** The named queries of Rogers' state. */
  static List<NamedQuery> queries(Supplier<ArrayNode> unread, Supplier<ArrayNode> service) {
    List<NamedQuery> queries = new ArrayList<>();
    Stream.of(QUERIES.split(" ", -1))
        .map(name -> NamedQuery.load(Rogers.class, name))
        .forEach(queries::add);
    queries.add(NamedQuery.load(Rogers.class, "unread", unread));
    queries.add(NamedQuery.load(Rogers.class, "service", service));
    // Rogers' tasks are his askers' own questions; "what failed?" means the work of others.
    Tasks.queries().stream()
        .filter(query -> query.name().startsWith("task"))
        .map(NamedQuery::withoutPhrasings)
        .forEach(queries::add);
    return queries;
  }
}
