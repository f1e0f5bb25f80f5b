package joshua.fiedler;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import joshua.conversation.BusUnavailable;
import joshua.conversation.ConversationBus;
import joshua.kernel.Json;
import joshua.kernel.Pause;
import joshua.network.JsonSchema;
import joshua.network.Tool;
import joshua.network.ToolRegistry;
import joshua.network.ToolSpec;
import joshua.network.mcp.Catalogue;
import joshua.network.mcp.Changes;
import joshua.network.mcp.McpService;
import joshua.ssh.StateView;
import joshua.ssh.Verb;
import joshua.state.Database;
import joshua.state.Migration;
import joshua.tasks.ConverseWork;
import joshua.tasks.DurableTasks;
import joshua.tasks.Requesters;
import joshua.tasks.TaskHistory;
import joshua.tasks.TaskManager;
import joshua.tasks.TaskQueries;
import joshua.tasks.TaskResources;
import joshua.tasks.TaskSchema;
import joshua.tasks.TaskSubmission;
import joshua.tasks.TaskTools;
import joshua.tasks.TaskVerbs;
import joshua.tasks.TaskViews;
import joshua.tasks.VerbCalls;
import joshua.thought.Cet;
import joshua.thought.Charter;
import joshua.thought.Imperator;
import joshua.thought.Look;
import joshua.thought.Models;
import joshua.thought.Queries;
import joshua.thought.Query;
import joshua.thought.Reader;
import joshua.thought.ThoughtEngine;
import joshua.thought.reading.Embedder;

/**
 * Fiedler, the orchestrator (REQ-FD-01…10): takes prompts as durable tasks, answers at once, works
 * on, and streams what comes of it.
 */
public final class Fiedler implements AutoCloseable {
  /** His name on the bus. */
  public static final String NAME = "fiedler";

  /** What models are told about his tools as a whole. */
  public static final String INSTRUCTIONS =
      """
      Fiedler takes work that may be long. fiedler_converse answers at once with a task_id and goes \
      on by itself; read the text with fiedler_get_stream or fiedler_get_task_status, or pass \
      wait: true. Questions about his tasks in plain words ("what failed since noon?") are prompts, \
      too. fiedler_send asks several language models the same thing. Use your own client_id as \
      requester_id: the final notification goes to mad.direct.{requester_id}.\
      """;

  private final Changes changes = new Changes();
  private final TaskManager tasks;
  private final List<Tool> tools;
  private final List<StateView> states;
  private final InstantSource time;
  private final Pause pause;

  /**
   * Wires him.
   *
   * @param embedder what turns questions into vectors; throwing IllegalStateException, it has them
   *     passed on
   */
  public Fiedler(
      FiedlerConfig config,
      Database database,
      ConversationBus bus,
      Models models,
      Embedder embedder,
      InstantSource time,
      Pause pause,
      MeterRegistry meters) {
    ThoughtEngine engine =
        engine(
            queries(config, database, models, time),
            database,
            models,
            embedder,
            config.charter(),
            time);
    this.tasks =
        new TaskManager(
            NAME,
            config.tasks(),
            database,
            bus,
            Map.of(
                TaskManager.CONVERSE, new ConverseWork(engine),
                SendWork.KIND, new SendWork(models, config.tasks().timeLimit())),
            changes,
            time,
            pause,
            meters);
    List<Tool> all = new ArrayList<>(new TaskTools(tasks).tools());
    all.add(new SendTool(new TaskSubmission(tasks), models));
    all.add(new ListModelsTool(models));
    this.tools = List.copyOf(all);
    List<StateView> views = new ArrayList<>(ServiceQueries.views(config, models, database));
    views.addFirst(TaskViews.tasks(database));
    views.add(new StateView("imperator", Charter.SHOWN, config.charter()::json));
    this.states = List.copyOf(views);
    this.time = time;
    this.pause = pause;
  }

  /** The layout of his database. */
  public static List<Migration> migrations() {
    return List.of(TaskSchema.first(1), TaskSchema.questions(2));
  }

  /** What he offers, for who lists it while he doesn't run. */
  public static Catalogue catalogue() {
    List<ToolSpec> specs = new ArrayList<>(TaskTools.specs(NAME));
    specs.add(SendTool.SPEC);
    specs.add(ListModelsTool.SPEC);
    return new Catalogue(specs, List.of(), TaskResources.templates(NAME), List.of());
  }

  private static Queries queries(
      FiedlerConfig config, Database database, Models models, InstantSource time) {
    List<Query> whitelist = new ArrayList<>(TaskQueries.on(database, time, QuerySpecs.OF_TASKS));
    whitelist.addAll(ServiceQueries.of(config, models, database));
    return new Queries(whitelist, schema -> new JsonSchema(schema)::problem);
  }

  private static ThoughtEngine engine(
      Queries queries,
      Database database,
      Models models,
      Embedder embedder,
      Charter charter,
      InstantSource time) {
    Reader dtr = PlainWords.dtr(queries.specs());
    Reader lppm =
        PlainWords.lppm(queries.specs(), embedder, new Requesters(database), time, ZoneOffset.UTC);
    TaskHistory history = new TaskHistory(database);
    Optional<Imperator> imperator = imperator(charter, models, queries, history, time);
    return imperator.isEmpty()
        ? new ThoughtEngine(queries, dtr, lppm, imperator)
        : new ThoughtEngine(
            queries,
            InterceptionFilter.ofCommands(dtr, history::hasWork),
            InterceptionFilter.ofPlainWords(lppm, history::hasWork),
            imperator);
  }

  private static Optional<Imperator> imperator(
      Charter charter, Models models, Queries queries, TaskHistory history, InstantSource time) {
    if (models.first().isEmpty() || models.limits().isEmpty()) {
      return Optional.empty();
    }
    List<Look> state = List.of(new Look(QuerySpecs.QUEUE.name(), Json.object()));
    Cet cet = new Cet(charter, state, queries, history, models.limits().get(), time);
    return Optional.of(new Imperator(models.first().get(), cet, queries, models.limits().get()));
  }

  /**
   * Takes up what was left, and listens on his direct channel.
   *
   * @throws BusUnavailable when that can't be subscribed to now
   */
  public Fiedler start() throws BusUnavailable, InterruptedException {
    tasks.start();
    return this;
  }

  /** Why his tasks don't go on as they should, as a sentence; empty if all is well. */
  public Optional<String> problem() {
    return tasks.problem();
  }

  public List<Tool> tools() {
    return tools;
  }

  /** What he serves over MCP: the tools in {@code registry}, and tasks. */
  public McpService service(ToolRegistry registry, String version) {
    return new McpService(
        NAME,
        "Joshua's orchestrator",
        version,
        INSTRUCTIONS,
        registry,
        List.of(new TaskResources(tasks)),
        List.of(),
        Optional.of(new DurableTasks(tasks)),
        changes);
  }

  /**
   * What admins can have him do.
   *
   * @param registry has his tools
   */
  public List<Supplier<? extends Verb>> verbs(ToolRegistry registry) {
    List<Supplier<? extends Verb>> verbs =
        new ArrayList<>(TaskVerbs.of(NAME, registry, time, pause));
    VerbCalls calls = new VerbCalls(NAME, registry);
    verbs.add(() -> new ModelsVerb(calls));
    return List.copyOf(verbs);
  }

  /** What admins see of his state. */
  public List<StateView> states() {
    return states;
  }

  @Override
  public void close() {
    tasks.close();
  }
}
