package joshua.fiedler;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ConversationBus;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.kernel.ServiceLifecycle;
import joshua.network.Catalog;
import joshua.network.ReadinessCheck;
import joshua.network.Tool;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.service.RunningService;
import joshua.service.ServiceContext;
import joshua.service.ServiceDescriptor;
import joshua.service.StartedService;
import joshua.service.admin.CommonTools.Nothing;
import joshua.state.Database;
import joshua.state.query.NamedQueries;
import joshua.state.query.NamedQuery;
import joshua.tasks.TaskLimits;
import joshua.tasks.Tasks;
import joshua.tasks.tool.PromptService;
import joshua.tasks.verb.TaskVerbs;
import joshua.thought.PromptAnswerer;
import joshua.thought.model.ModelConfig;

/**
 * The orchestrator: turns prompts into tasks, and works on them as long as it takes (REQ-FD-01…).
 */
public final class Fiedler {
  public static final ServiceDescriptor<FiedlerSettings> SERVICE =
      new ServiceDescriptor<>(
          "fiedler",
          "The orchestrator: takes work, and streams it back.",
          8001,
          2201,
          List.of("mad.direct.*", "mad.stream.*", "mad.system.*"),
          FiedlerSettings::new,
          List.of(
              TaskVerbs.Ask.class,
              TaskVerbs.Tasks.class,
              TaskVerbs.Task.class,
              TaskVerbs.Queue.class),
          (context, settings) ->
              start(
                  context,
                  settings.tasks().limits(),
                  settings.answers().model(),
                  settings.answers().imperator(Fiedler.class)));

  private static final String INSTRUCTIONS =
      """
      Takes questions and long work. fiedler_converse answers at once with a task_id; the end is \
      told to mad.direct.<requester_id>, the text streams on mad.stream.<task_id> and by \
      fiedler_get_stream. wait: true waits for the answer. fiedler_query shows what Fiedler knows \
      of its tasks.\
      """;

  private static final String CONVERSE =
      "Hands a prompt to Fiedler: a question, or work that takes long. Answers at once with a"
          + " task_id, which survives restarts; its text streams on stream_topic (or by"
          + " fiedler_get_stream), its end is told to mad.direct.<requester_id>. wait: true waits for"
          + " the answer, 45 s at most. \"help\" shows what it answers about its own tasks.";

  private static final String ELSEWHERE =
      "Questions about the bus are for Rogers: ./joshua rogers ask, or rogers_converse.\n";

  private Fiedler() {}

  /**
   * Joins the bus, and starts to work.
   *
   * @param instructions the Imperator's system prompt
   * @throws IOException with a sentence for the user
   */
  public static RunningService start(
      ServiceContext context, TaskLimits limits, ModelConfig model, String instructions)
      throws IOException, BusUnavailableException, InterruptedException {
    return StartedService.of(parts -> start(context, limits, model, instructions, parts));
  }

  private static StartedService start(
      ServiceContext context,
      TaskLimits limits,
      ModelConfig model,
      String instructions,
      ServiceLifecycle parts)
      throws IOException, BusUnavailableException, InterruptedException {
    InstantSource time = context.time();
    Database database =
        parts.add("database", Database.open(context.database(), Tasks.MIGRATIONS, time));
    ConversationBus bus = new ConversationBus(context.bus(), context.self(), time, Json.object());
    parts.add("bus", bus);
    Supplier<ArrayNode> models = () -> Json.mapper().valueToTree(PromptAnswerer.models(model));
    NamedQueries queries =
        new NamedQueries(queries(models, context::selfDescription), database, time);
    PromptService.AnswerConfig config =
        new PromptService.AnswerConfig(limits, model, instructions, false, ELSEWHERE);
    PromptService prompts =
        new PromptService(
            bus,
            database,
            queries,
            config,
            any -> false,
            context.access(),
            time,
            context.metrics());
    parts.add("prompts", prompts);
    List<Tool<?>> tools = new ArrayList<>(prompts.tools(CONVERSE));
    AskModelsTool askModels = new AskModelsTool(prompts, model);
    tools.add(askModels.tool());
    tools.add(listModels(model));
    Catalog catalog = context.catalog("Joshua's orchestrator", INSTRUCTIONS, tools);
    prompts.start(
        answers -> held -> AskModelsTool.isFor(held) ? askModels.run(held) : answers.run(held));
    bus.join();
    return new StartedService(
        catalog,
        List.of(context.busCheck(), new ReadinessCheck("database", database::problem)),
        prompts.remarks(),
        prompts.tasks()::stopWaiting,
        parts);
  }

  /** The output of {@code fiedler_list_models}. */
  record ModelList(String status, List<ObjectNode> models) {}

  private static Tool<Nothing> listModels(ModelConfig model) {
    return new Tool<>(
        "fiedler_list_models",
        "List models",
        "The models that are configured: the first thinks, all can be asked by fiedler_send.",
        Nothing.class,
        ModelList.class,
        Tool.Audience.MODEL,
        Role.VIEWER,
        ToolHints.READS,
        (input, call) ->
            ToolResult.success(new ModelList("success", PromptAnswerer.models(model))));
  }

  /** The named queries of Fiedler's state. */
  static List<NamedQuery> queries(Supplier<ArrayNode> models, Supplier<ArrayNode> service) {
    List<NamedQuery> queries = new ArrayList<>(Tasks.queries());
    queries.add(NamedQuery.load(Fiedler.class, "models", models));
    queries.add(NamedQuery.load(Fiedler.class, "service", service));
    return queries;
  }
}
