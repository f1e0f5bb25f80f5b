package joshua.rogers;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import joshua.conversation.BusTap;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ConversationBus;
import joshua.kernel.ClockSources;
import joshua.kernel.ServiceLifecycle;
import joshua.kernel.TimedWait;
import joshua.network.JsonSchema;
import joshua.network.Tool;
import joshua.network.ToolRegistry;
import joshua.network.ToolSpec;
import joshua.network.mcp.ChangeNotifier;
import joshua.network.mcp.ChangeWatchers;
import joshua.network.mcp.McpCatalog;
import joshua.network.mcp.McpService;
import joshua.network.mcp.ResourceProvider;
import joshua.rogers.alert.AlertMonitor;
import joshua.rogers.alert.WatchStore;
import joshua.rogers.journal.Journal;
import joshua.rogers.journal.JournalExchanges;
import joshua.rogers.loss.LossReconciler;
import joshua.rogers.presence.ConnectionManager;
import joshua.rogers.presence.ConnectionStore;
import joshua.rogers.presence.NameableParticipants;
import joshua.rogers.presence.OwnPresence;
import joshua.rogers.query.BusQueries;
import joshua.rogers.query.ListenersQuery;
import joshua.rogers.query.RateQuery;
import joshua.rogers.query.RogersQueries;
import joshua.rogers.query.ServiceQuery;
import joshua.rogers.tap.MessageObserver;
import joshua.rogers.tool.BusResources;
import joshua.rogers.tool.ConnectionsTool;
import joshua.rogers.tool.ConversationTool;
import joshua.rogers.tool.LiveStates;
import joshua.rogers.tool.MetricsCollector;
import joshua.rogers.tool.PublicHeads;
import joshua.rogers.tool.QueryTool;
import joshua.rogers.tool.ResourceChangePoller;
import joshua.rogers.tool.StatsTool;
import joshua.rogers.verb.RogersVerbs;
import joshua.ssh.StateView;
import joshua.ssh.Verb;
import joshua.state.Database;
import joshua.state.Migration;
import joshua.state.StoreUnavailableException;
import joshua.tasks.DurableTasks;
import joshua.tasks.query.TaskQueries;
import joshua.tasks.store.TaskHistory;
import joshua.tasks.store.TaskSchema;
import joshua.tasks.tool.ConverseWork;
import joshua.tasks.tool.TaskResources;
import joshua.tasks.tool.TaskTools;
import joshua.tasks.verb.TaskVerbs;
import joshua.tasks.worker.TaskManager;
import joshua.thought.Cet;
import joshua.thought.Imperator;
import joshua.thought.LanguageModels;
import joshua.thought.Query;
import joshua.thought.QueryWhitelist;
import joshua.thought.SystemPrompt;
import joshua.thought.ThoughtEngine;
import joshua.thought.grounding.EvidenceCheck;
import joshua.thought.reading.TextEmbedder;

/**
 * Rogers, the bus monitor (REQ-RG-02…15, +RG-16…18): sees every message on the bus, knows who is
 * there, counts traffic, accounts for losses, and answers questions about all of it.
 */
public final class Rogers implements AutoCloseable {
  /** Its name on the bus. */
  public static final String NAME = "rogers";

  /** The instructions for models about its tools as a whole. */
  public static final String INSTRUCTIONS =
      """
      Rogers watches every message on the bus. rogers_converse takes questions about it in plain \
      words ("who is there?", "did we lose anything between 14:00 and 15:00?"), answers at once \
      with a task_id and goes on by itself; wait: true waits for the text. Each answer carries its \
      evidence: the queries it came from, with their rows. Use your own client_id as requester_id: \
      the final notification goes to mad.direct.{requester_id}.\
      """;

  private final ChangeNotifier changeNotifier = new ChangeNotifier();
  private final ServiceLifecycle serviceLifecycle = new ServiceLifecycle();
  private final Journal journal;
  private final boolean journals;
  private final MetricsCollector collector;
  private final LossReconciler lossReconciler;
  private final ConnectionManager connections;
  private final AlertMonitor alertMonitor;
  private final OwnPresence presence;
  private final ResourceChangePoller resourceChangePoller;
  private final TaskManager tasks;
  private final List<Tool> tools;
  private final List<ResourceProvider> resources;
  private final LiveStates states;
  private final SystemPrompt systemPrompt;
  private final InstantSource time;
  private final TimedWait timedWait;

  /**
   * @param textEmbedder turns questions into vectors; if it throws IllegalStateException, they are
   *     passed on
   * @param bus connected, and not joined: Rogers joins and leaves it where its tap sees that
   * @param tap how Rogers watches the bus; it opens and closes it
   */
  public Rogers(
      RogersConfig config,
      Database database,
      ConversationBus bus,
      BusTap tap,
      LanguageModels languageModels,
      TextEmbedder textEmbedder,
      InstantSource time,
      TimedWait timedWait,
      MeterRegistry meters) {
    this.journal = new Journal(config.journal(), database, time, timedWait, meters);
    this.collector = new MetricsCollector(database, tap, config.counts(), time, meters);
    AlertMonitor.Watched counted =
        new AlertMonitor.Watched(collector::senders, collector::channels);
    WatchStore kept = new WatchStore(database, config.history());
    this.alertMonitor =
        new AlertMonitor(
            kept,
            bus,
            counted,
            () -> reconciler().knownPatterns(),
            new ClockSources(time, System::nanoTime, timedWait),
            meters);
    this.lossReconciler =
        new LossReconciler(database, time, config.history().age(), meters, alertMonitor::lost);
    this.presence = new OwnPresence(bus);
    this.connections = registry(config, database, time, timedWait, meters);
    this.journals = config.journal().on();
    JournalExchanges journalExchanges =
        new JournalExchanges(database, config.journal(), config.directReaders());
    ChangeWatchers changeWatchers = new ChangeWatchers();
    this.resourceChangePoller =
        new ResourceChangePoller(changeWatchers, database, journalExchanges, timedWait);
    List<Query> whitelist = whitelist(config, database, bus, time);
    QueryWhitelist queryWhitelist = queries(whitelist);
    QueryWhitelist publicly = queries(whitelist.stream().<Query>map(PublicHeads::new).toList());
    ThoughtEngine engine =
        engine(publicly, textEmbedder, languageModels, config.charter(), database, time);
    this.tasks =
        new TaskManager(
            NAME,
            config.tasks(),
            database,
            bus,
            Map.of(TaskManager.CONVERSE, new ConverseWork(engine)),
            changeNotifier,
            time,
            timedWait,
            meters);
    this.tools = allTools(tools(database, queryWhitelist, journalExchanges, time));
    this.resources =
        List.of(
            new BusResources(database, journalExchanges, time, changeWatchers),
            new TaskResources(tasks));
    this.states = new LiveStates(collector, connections, lossReconciler, journal, database, time);
    this.systemPrompt = config.charter();
    this.time = time;
    this.timedWait = timedWait;
  }

  private List<Tool> allTools(List<Tool> own) {
    List<Tool> all = new ArrayList<>(new TaskTools(tasks).tools());
    all.addAll(own);
    return List.copyOf(all);
  }

  /** The schema of its database. */
  public static List<Migration> migrations() {
    return List.of(
        TaskSchema.first(1),
        Migration.files(Rogers.class, "0002-bus.sql").getFirst(),
        TaskSchema.questions(3));
  }

  /** Its tools, for listing them while it isn't running. */
  public static McpCatalog catalogue() {
    List<ToolSpec> specs = new ArrayList<>(TaskTools.specs(NAME));
    specs.addAll(
        List.of(ConnectionsTool.SPEC, StatsTool.SPEC, QueryTool.SPEC, ConversationTool.SPEC));
    List<ResourceProvider.Template> templates = new ArrayList<>(BusResources.TEMPLATES);
    templates.addAll(TaskResources.templates(NAME));
    return new McpCatalog(specs, List.of(), templates, BusResources.RESOURCES);
  }

  private static List<Tool> tools(
      Database database,
      QueryWhitelist queryWhitelist,
      JournalExchanges journalExchanges,
      InstantSource time) {
    return List.of(
        ConnectionsTool.on(database),
        StatsTool.on(database, time),
        QueryTool.on(queryWhitelist),
        ConversationTool.on(journalExchanges));
  }

  private ConnectionManager registry(
      RogersConfig config,
      Database database,
      InstantSource time,
      TimedWait timedWait,
      MeterRegistry meters) {
    return new ConnectionManager(
        config.thresholds(),
        new ConnectionStore(database, config.history()),
        collector::senders,
        change -> {
          alertMonitor.changed(change);
          presence.changed(change);
        },
        time,
        timedWait,
        meters);
  }

  private List<Query> whitelist(
      RogersConfig config, Database database, ConversationBus bus, InstantSource time) {
    List<Query> whitelist = new ArrayList<>(BusQueries.on(database, time));
    whitelist.add(new RateQuery(collector::messagesPerSecond, database, time));
    whitelist.add(new ListenersQuery(bus::listeners, lossReconciler::knownPatterns));
    whitelist.add(new ServiceQuery(config.version(), config.upSince(), database, time));
    whitelist.addAll(TaskQueries.on(database, time, RogersQueries.OF_TASKS));
    return whitelist;
  }

  private static QueryWhitelist queries(List<Query> whitelist) {
    return new QueryWhitelist(whitelist, schema -> new JsonSchema(schema)::problem);
  }

  private static ThoughtEngine engine(
      QueryWhitelist queryWhitelist,
      TextEmbedder textEmbedder,
      LanguageModels languageModels,
      SystemPrompt systemPrompt,
      Database database,
      InstantSource time) {
    NameableParticipants nameableParticipants = new NameableParticipants(database);
    return new ThoughtEngine(
        queryWhitelist,
        RogersPhrasings.dtr(queryWhitelist.specs(), nameableParticipants),
        RogersPhrasings.lppm(
            queryWhitelist.specs(), textEmbedder, nameableParticipants, time, ZoneOffset.UTC),
        imperator(systemPrompt, languageModels, queryWhitelist, new TaskHistory(database), time),
        Optional.of(new EvidenceCheck(nameableParticipants, RogersQueries.words())));
  }

  private static Optional<Imperator> imperator(
      SystemPrompt systemPrompt,
      LanguageModels languageModels,
      QueryWhitelist queryWhitelist,
      TaskHistory history,
      InstantSource time) {
    if (languageModels.first().isEmpty() || languageModels.limits().isEmpty()) {
      return Optional.empty();
    }
    Cet cet =
        new Cet(
            systemPrompt, List.of(), queryWhitelist, history, languageModels.limits().get(), time);
    return Optional.of(
        new Imperator(
            languageModels.first().get(), cet, queryWhitelist, languageModels.limits().get()));
  }

  private LossReconciler reconciler() {
    return lossReconciler;
  }

  /**
   * Starts watching, resumes unfinished tasks, and listens on its direct channel.
   *
   * @throws BusUnavailableException if the bus can't be subscribed to now; nothing runs then
   * @throws StoreUnavailableException if the database can't be read; nothing runs then
   */
  public Rogers start()
      throws BusUnavailableException, StoreUnavailableException, InterruptedException {
    List<MessageObserver> observers = new ArrayList<>(List.of(lossReconciler, connections));
    observers.addAll(alertMonitor.observers());
    if (journals) {
      observers.add(journal);
    }
    try {
      serviceLifecycle.add("rogers' journal", journal.start());
      serviceLifecycle.add("rogers' reconciler", lossReconciler.start());
      serviceLifecycle.add("rogers' traffic", collector).start(observers);
      serviceLifecycle.add("rogers' registry", connections).start();
      // Parts that send on the bus start after the join, and have ended before the leave.
      serviceLifecycle.add("rogers' presence", presence).start();
      serviceLifecycle.add("rogers' watching", alertMonitor).start();
      serviceLifecycle.add("rogers' tasks", tasks).start();
      serviceLifecycle.add("rogers' bell", resourceChangePoller.start());
      return this;
    } catch (BusUnavailableException
        | StoreUnavailableException
        | InterruptedException
        | RuntimeException e) {
      serviceLifecycle.close();
      throw e;
    }
  }

  /** What keeps it from seeing or storing everything, as a sentence; empty if nothing does. */
  public Optional<String> problem() {
    return collector.problem();
  }

  public List<Tool> tools() {
    return tools;
  }

  /**
   * Its admin commands: those about the bus, and those for tasks.
   *
   * @param registry has its {@link #tools}
   */
  public List<Supplier<? extends Verb>> verbs(ToolRegistry registry) {
    List<Supplier<? extends Verb>> verbs =
        new ArrayList<>(RogersVerbs.of(registry, time, timedWait));
    verbs.addAll(TaskVerbs.of(NAME, registry, time, timedWait));
    return verbs;
  }

  /** Its live state, for {@code mad-state}. */
  public List<StateView> states() {
    List<StateView> all = new ArrayList<>(states.views());
    all.add(new StateView("imperator", SystemPrompt.SHOWN, systemPrompt::json));
    return List.copyOf(all);
  }

  /** Its MCP service: the tools in {@code registry}, tasks, and the bus as resources. */
  public McpService service(ToolRegistry registry, String version) {
    return new McpService(
        NAME,
        "Joshua's bus monitor",
        version,
        INSTRUCTIONS,
        registry,
        resources,
        List.of(),
        Optional.of(new DurableTasks(tasks)),
        changeNotifier);
  }

  @Override
  public void close() {
    serviceLifecycle.close();
  }
}
