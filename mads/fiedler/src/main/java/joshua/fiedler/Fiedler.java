package joshua.fiedler;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ConversationBus;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;
import joshua.network.JsonSchema;
import joshua.network.Tool;
import joshua.network.ToolRegistry;
import joshua.network.ToolSpec;
import joshua.network.mcp.ChangeNotifier;
import joshua.network.mcp.McpCatalog;
import joshua.network.mcp.McpService;
import joshua.ssh.StateView;
import joshua.ssh.Verb;
import joshua.state.Database;
import joshua.state.Migration;
import joshua.tasks.DurableTasks;
import joshua.tasks.model.RequesterNames;
import joshua.tasks.query.TaskQueries;
import joshua.tasks.store.TaskHistory;
import joshua.tasks.store.TaskSchema;
import joshua.tasks.tool.ConverseWork;
import joshua.tasks.tool.LocalToolClient;
import joshua.tasks.tool.TaskResources;
import joshua.tasks.tool.TaskSubmission;
import joshua.tasks.tool.TaskTools;
import joshua.tasks.verb.TaskVerbs;
import joshua.tasks.worker.TaskManager;
import joshua.tasks.worker.TaskViews;
import joshua.thought.Cet;
import joshua.thought.Imperator;
import joshua.thought.LanguageModels;
import joshua.thought.PromptReader;
import joshua.thought.Query;
import joshua.thought.QueryCall;
import joshua.thought.QueryWhitelist;
import joshua.thought.SystemPrompt;
import joshua.thought.ThoughtEngine;
import joshua.thought.reading.TextEmbedder;

/**
 * Fiedler, the orchestrator (REQ-FD-01…10): accepts prompts as durable tasks, answers at once,
 * works on them, and streams the results.
 */
public final class Fiedler implements AutoCloseable {
  /** Its name on the bus. */
  public static final String NAME = "fiedler";

  /** The instructions for models about its tools as a whole. */
  public static final String INSTRUCTIONS =
      """
      Fiedler takes work that may be long. fiedler_converse answers at once with a task_id and goes \
      on by itself; read the text with fiedler_get_stream or fiedler_get_task_status, or pass \
      wait: true. Questions about his tasks in plain words ("what failed since noon?") are prompts, \
      too. fiedler_send asks several language models the same thing. Use your own client_id as \
      requester_id: the final notification goes to mad.direct.{requester_id}.\
      """;

  private final ChangeNotifier changeNotifier = new ChangeNotifier();
  private final TaskManager tasks;
  private final List<Tool> tools;
  private final List<StateView> states;
  private final InstantSource time;
  private final TimedWait timedWait;

  /**
   * @param textEmbedder turns questions into vectors; if it throws IllegalStateException, they are
   *     passed on
   */
  public Fiedler(
      FiedlerConfig config,
      Database database,
      ConversationBus bus,
      LanguageModels languageModels,
      TextEmbedder textEmbedder,
      InstantSource time,
      TimedWait timedWait,
      MeterRegistry meters) {
    ThoughtEngine engine =
        engine(
            queries(config, database, languageModels, time),
            database,
            languageModels,
            textEmbedder,
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
                SendWork.KIND, new SendWork(languageModels, config.tasks().timeLimit())),
            changeNotifier,
            time,
            timedWait,
            meters);
    List<Tool> all = new ArrayList<>(new TaskTools(tasks).tools());
    all.add(new ModelSendTool(new TaskSubmission(tasks), languageModels));
    all.add(new ListModelsTool(languageModels));
    this.tools = List.copyOf(all);
    List<StateView> views = new ArrayList<>(ServiceQueries.views(config, languageModels, database));
    views.addFirst(TaskViews.tasks(database));
    views.add(new StateView("imperator", SystemPrompt.SHOWN, config.charter()::json));
    this.states = List.copyOf(views);
    this.time = time;
    this.timedWait = timedWait;
  }

  /** The schema of its database. */
  public static List<Migration> migrations() {
    return List.of(TaskSchema.first(1), TaskSchema.questions(2));
  }

  /** Its tools, for listing them while it isn't running. */
  public static McpCatalog catalogue() {
    List<ToolSpec> specs = new ArrayList<>(TaskTools.specs(NAME));
    specs.add(ModelSendTool.SPEC);
    specs.add(ListModelsTool.SPEC);
    return new McpCatalog(specs, List.of(), TaskResources.templates(NAME), List.of());
  }

  private static QueryWhitelist queries(
      FiedlerConfig config, Database database, LanguageModels languageModels, InstantSource time) {
    List<Query> whitelist =
        new ArrayList<>(TaskQueries.on(database, time, FiedlerQueries.OF_TASKS));
    whitelist.addAll(ServiceQueries.of(config, languageModels, database));
    return new QueryWhitelist(whitelist, schema -> new JsonSchema(schema)::problem);
  }

  private static ThoughtEngine engine(
      QueryWhitelist queryWhitelist,
      Database database,
      LanguageModels languageModels,
      TextEmbedder textEmbedder,
      SystemPrompt systemPrompt,
      InstantSource time) {
    PromptReader dtr = FiedlerPhrasings.dtr(queryWhitelist.specs());
    PromptReader lppm =
        FiedlerPhrasings.lppm(
            queryWhitelist.specs(),
            textEmbedder,
            new RequesterNames(database),
            time,
            ZoneOffset.UTC);
    TaskHistory history = new TaskHistory(database);
    Optional<Imperator> imperator =
        imperator(systemPrompt, languageModels, queryWhitelist, history, time);
    return imperator.isEmpty()
        ? new ThoughtEngine(queryWhitelist, dtr, lppm, imperator)
        : new ThoughtEngine(
            queryWhitelist,
            InterceptionFilter.ofCommands(dtr, history::hasWork),
            InterceptionFilter.ofPlainWords(lppm, history::hasWork),
            imperator);
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
    List<QueryCall> state = List.of(new QueryCall(FiedlerQueries.QUEUE.name(), Json.object()));
    Cet cet =
        new Cet(systemPrompt, state, queryWhitelist, history, languageModels.limits().get(), time);
    return Optional.of(
        new Imperator(
            languageModels.first().get(), cet, queryWhitelist, languageModels.limits().get()));
  }

  /**
   * Resumes unfinished tasks, and listens on its direct channel.
   *
   * @throws BusUnavailableException if that channel can't be subscribed to now
   */
  public Fiedler start() throws BusUnavailableException, InterruptedException {
    tasks.start();
    return this;
  }

  /** Why its tasks aren't making progress, as a sentence; empty if all is well. */
  public Optional<String> problem() {
    return tasks.problem();
  }

  public List<Tool> tools() {
    return tools;
  }

  /** Its MCP service: the tools in {@code registry}, and tasks. */
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
        changeNotifier);
  }

  /**
   * Its admin commands.
   *
   * @param registry has its tools
   */
  public List<Supplier<? extends Verb>> verbs(ToolRegistry registry) {
    List<Supplier<? extends Verb>> verbs =
        new ArrayList<>(TaskVerbs.of(NAME, registry, time, timedWait));
    LocalToolClient calls = new LocalToolClient(NAME, registry);
    verbs.add(() -> new ModelsVerb(calls));
    return List.copyOf(verbs);
  }

  /** Its state as admins see it. */
  public List<StateView> states() {
    return states;
  }

  @Override
  public void close() {
    tasks.close();
  }
}
