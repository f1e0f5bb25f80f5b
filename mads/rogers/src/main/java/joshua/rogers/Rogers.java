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
import joshua.conversation.BusUnavailable;
import joshua.conversation.ConversationBus;
import joshua.kernel.Clocks;
import joshua.kernel.Pause;
import joshua.kernel.Running;
import joshua.network.JsonSchema;
import joshua.network.Tool;
import joshua.network.ToolRegistry;
import joshua.network.ToolSpec;
import joshua.network.mcp.Catalogue;
import joshua.network.mcp.Changes;
import joshua.network.mcp.McpService;
import joshua.network.mcp.ResourceProvider;
import joshua.network.mcp.Watchers;
import joshua.rogers.verbs.RogersVerbs;
import joshua.ssh.StateView;
import joshua.ssh.Verb;
import joshua.state.Database;
import joshua.state.Migration;
import joshua.state.StoreUnavailable;
import joshua.tasks.ConverseWork;
import joshua.tasks.DurableTasks;
import joshua.tasks.TaskHistory;
import joshua.tasks.TaskManager;
import joshua.tasks.TaskQueries;
import joshua.tasks.TaskResources;
import joshua.tasks.TaskSchema;
import joshua.tasks.TaskTools;
import joshua.tasks.TaskVerbs;
import joshua.thought.Cet;
import joshua.thought.Charter;
import joshua.thought.Imperator;
import joshua.thought.Models;
import joshua.thought.Queries;
import joshua.thought.Query;
import joshua.thought.ThoughtEngine;
import joshua.thought.grounding.EvidenceCheck;
import joshua.thought.reading.Embedder;

/**
 * Rogers, the bus monitor (REQ-RG-02…15, +RG-16…18): sees every message on the bus, knows who is
 * there, counts what flows, keeps account of what was lost, and answers questions about it.
 */
public final class Rogers implements AutoCloseable {
  /** His name on the bus. */
  public static final String NAME = "rogers";

  /** What models are told about his tools as a whole. */
  public static final String INSTRUCTIONS =
      """
      Rogers watches every message on the bus. rogers_converse takes questions about it in plain \
      words ("who is there?", "did we lose anything between 14:00 and 15:00?"), answers at once \
      with a task_id and goes on by itself; wait: true waits for the text. Each answer carries its \
      evidence: the queries it came from, with their rows. Use your own client_id as requester_id: \
      the final notification goes to mad.direct.{requester_id}.\
      """;

  private final Changes changes = new Changes();
  private final Running running = new Running();
  private final Journal journal;
  private final boolean journals;
  private final MetricsCollector collector;
  private final Reconciler reconciler;
  private final ConnectionManager connections;
  private final Watching watching;
  private final OwnPresence presence;
  private final Bell bell;
  private final TaskManager tasks;
  private final List<Tool> tools;
  private final List<ResourceProvider> resources;
  private final LiveStates states;
  private final Charter charter;
  private final InstantSource time;
  private final Pause pause;

  /**
   * Wires him.
   *
   * @param embedder what turns questions into vectors; throwing IllegalStateException, it has them
   *     passed on
   * @param bus connected, and not joined: he joins and leaves it where his tap sees it
   * @param tap what he watches the bus by; he opens and closes it
   */
  public Rogers(
      RogersConfig config,
      Database database,
      ConversationBus bus,
      BusTap tap,
      Models models,
      Embedder embedder,
      InstantSource time,
      Pause pause,
      MeterRegistry meters) {
    this.journal = new Journal(config.journal(), database, time, pause, meters);
    this.collector = new MetricsCollector(database, tap, config.counts(), time, meters);
    Watching.Watched counted = new Watching.Watched(collector::senders, collector::channels);
    WatchStore kept = new WatchStore(database, config.history());
    this.watching =
        new Watching(
            kept,
            bus,
            counted,
            () -> reconciler().knownPatterns(),
            new Clocks(time, System::nanoTime, pause),
            meters);
    this.reconciler =
        new Reconciler(database, time, config.history().age(), meters, watching::lost);
    this.presence = new OwnPresence(bus);
    this.connections = registry(config, database, time, pause, meters);
    this.journals = config.journal().on();
    Exchanges exchanges = new Exchanges(database, config.journal(), config.directReaders());
    Watchers watchers = new Watchers();
    this.bell = new Bell(watchers, database, exchanges, pause);
    List<Query> whitelist = whitelist(config, database, bus, time);
    Queries queries = queries(whitelist);
    Queries publicly = queries(whitelist.stream().<Query>map(PublicHeads::new).toList());
    ThoughtEngine engine = engine(publicly, embedder, models, config.charter(), database, time);
    this.tasks =
        new TaskManager(
            NAME,
            config.tasks(),
            database,
            bus,
            Map.of(TaskManager.CONVERSE, new ConverseWork(engine)),
            changes,
            time,
            pause,
            meters);
    this.tools = allTools(tools(database, queries, exchanges, time));
    this.resources =
        List.of(new BusResources(database, exchanges, time, watchers), new TaskResources(tasks));
    this.states = new LiveStates(collector, connections, reconciler, journal, database, time);
    this.charter = config.charter();
    this.time = time;
    this.pause = pause;
  }

  private List<Tool> allTools(List<Tool> own) {
    List<Tool> all = new ArrayList<>(new TaskTools(tasks).tools());
    all.addAll(own);
    return List.copyOf(all);
  }

  /** The layout of his database. */
  public static List<Migration> migrations() {
    return List.of(
        TaskSchema.first(1),
        Migration.files(Rogers.class, "0002-bus.sql").getFirst(),
        TaskSchema.questions(3));
  }

  /** What he offers, for who lists it while he doesn't run. */
  public static Catalogue catalogue() {
    List<ToolSpec> specs = new ArrayList<>(TaskTools.specs(NAME));
    specs.addAll(
        List.of(ConnectionsTool.SPEC, StatsTool.SPEC, QueryTool.SPEC, ConversationTool.SPEC));
    List<ResourceProvider.Template> templates = new ArrayList<>(BusResources.TEMPLATES);
    templates.addAll(TaskResources.templates(NAME));
    return new Catalogue(specs, List.of(), templates, BusResources.RESOURCES);
  }

  private static List<Tool> tools(
      Database database, Queries queries, Exchanges exchanges, InstantSource time) {
    return List.of(
        ConnectionsTool.on(database),
        StatsTool.on(database, time),
        QueryTool.on(queries),
        ConversationTool.on(exchanges));
  }

  private ConnectionManager registry(
      RogersConfig config,
      Database database,
      InstantSource time,
      Pause pause,
      MeterRegistry meters) {
    return new ConnectionManager(
        config.thresholds(),
        new ConnectionStore(database, config.history()),
        collector::senders,
        change -> {
          watching.changed(change);
          presence.changed(change);
        },
        time,
        pause,
        meters);
  }

  private List<Query> whitelist(
      RogersConfig config, Database database, ConversationBus bus, InstantSource time) {
    List<Query> whitelist = new ArrayList<>(BusQueries.on(database, time));
    whitelist.add(new RateQuery(collector::messagesPerSecond, database, time));
    whitelist.add(new ListenersQuery(bus::listeners, reconciler::knownPatterns));
    whitelist.add(new ServiceQuery(config.version(), config.upSince(), database, time));
    whitelist.addAll(TaskQueries.on(database, time, QuerySpecs.OF_TASKS));
    return whitelist;
  }

  private static Queries queries(List<Query> whitelist) {
    return new Queries(whitelist, schema -> new JsonSchema(schema)::problem);
  }

  private static ThoughtEngine engine(
      Queries queries,
      Embedder embedder,
      Models models,
      Charter charter,
      Database database,
      InstantSource time) {
    Participants participants = new Participants(database);
    return new ThoughtEngine(
        queries,
        PlainWords.dtr(queries.specs(), participants),
        PlainWords.lppm(queries.specs(), embedder, participants, time, ZoneOffset.UTC),
        imperator(charter, models, queries, new TaskHistory(database), time),
        Optional.of(new EvidenceCheck(participants, QuerySpecs.words())));
  }

  private static Optional<Imperator> imperator(
      Charter charter, Models models, Queries queries, TaskHistory history, InstantSource time) {
    if (models.first().isEmpty() || models.limits().isEmpty()) {
      return Optional.empty();
    }
    Cet cet = new Cet(charter, List.of(), queries, history, models.limits().get(), time);
    return Optional.of(new Imperator(models.first().get(), cet, queries, models.limits().get()));
  }

  private Reconciler reconciler() {
    return reconciler;
  }

  /**
   * Watches from now on, takes up what was left, and listens on his direct channel.
   *
   * @throws BusUnavailable when the bus can't be subscribed to now; nothing runs then
   * @throws StoreUnavailable when the database can't be read; nothing runs then
   */
  public Rogers start() throws BusUnavailable, StoreUnavailable, InterruptedException {
    List<Observer> observers = new ArrayList<>(List.of(reconciler, connections));
    observers.addAll(watching.observers());
    if (journals) {
      observers.add(journal);
    }
    try {
      running.add("rogers' journal", journal.start());
      running.add("rogers' reconciler", reconciler.start());
      running.add("rogers' traffic", collector).start(observers);
      running.add("rogers' registry", connections).start();
      // What speaks on the bus starts after the join, and has ended by the leave.
      running.add("rogers' presence", presence).start();
      running.add("rogers' watching", watching).start();
      running.add("rogers' tasks", tasks).start();
      running.add("rogers' bell", bell.start());
      return this;
    } catch (BusUnavailable | StoreUnavailable | InterruptedException | RuntimeException e) {
      running.close();
      throw e;
    }
  }

  /** What keeps him from seeing or keeping everything, as a sentence; empty if nothing does. */
  public Optional<String> problem() {
    return collector.problem();
  }

  public List<Tool> tools() {
    return tools;
  }

  /**
   * What admins can have him do: the verbs about the bus, and those for tasks.
   *
   * @param registry has his {@link #tools}
   */
  public List<Supplier<? extends Verb>> verbs(ToolRegistry registry) {
    List<Supplier<? extends Verb>> verbs = new ArrayList<>(RogersVerbs.of(registry, time, pause));
    verbs.addAll(TaskVerbs.of(NAME, registry, time, pause));
    return verbs;
  }

  /** His live state, for {@code mad-state}. */
  public List<StateView> states() {
    List<StateView> all = new ArrayList<>(states.views());
    all.add(new StateView("imperator", Charter.SHOWN, charter::json));
    return List.copyOf(all);
  }

  /** What he serves over MCP: the tools in {@code registry}, tasks, and the bus as resources. */
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
        changes);
  }

  @Override
  public void close() {
    running.close();
  }
}
