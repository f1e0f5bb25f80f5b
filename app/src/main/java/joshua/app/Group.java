package joshua.app;

import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.Random;
import java.util.SequencedMap;
import joshua.conversation.ConversationBus;
import joshua.conversation.redis.RedisAddress;
import joshua.fiedler.Fiedler;
import joshua.fiedler.FiedlerConfig;
import joshua.grace.Grace;
import joshua.grace.GraceConfig;
import joshua.kernel.KnownSettings;
import joshua.kernel.LimitTable;
import joshua.kernel.Pause;
import joshua.kernel.Running;
import joshua.kernel.Settings;
import joshua.kernel.TaskSettings;
import joshua.network.ToolRegistry;
import joshua.network.mcp.McpService;
import joshua.rogers.Rogers;
import joshua.rogers.RogersConfig;
import joshua.rogers.SoleOwner;
import joshua.state.Database;
import joshua.tasks.TasksConfig;
import joshua.thought.Charter;
import joshua.thought.ModelConfig;
import joshua.thought.Models;
import joshua.thought.langchain.LangChainModels;

/** The MADs, and how each is wired: what {@code up} starts together, and others one by one. */
final class Group {
  /** The name of Redis in {@code run.json}. */
  static final String REDIS = "redis";

  private Group() {}

  /** Starts one MAD; where it listens then. */
  @FunctionalInterface
  interface Start {
    Started start(LimitTable limits, RedisAddress bus, Running running) throws Exception;
  }

  /**
   * Where a MAD listens that has just started.
   *
   * @param port for its tools
   * @param ssh how admins come by SSH, or why they can't, as a sentence
   */
  record Started(int port, Optional<Integer> sshPort, String ssh) {}

  /** Every MAD by its name, in the order of their starts. */
  static SequencedMap<String, Start> all() {
    SequencedMap<String, Start> all = new LinkedHashMap<>();
    all.put(Rogers.NAME, Group::rogers);
    all.put(Grace.NAME, Group::grace);
    all.put(Fiedler.NAME, Group::fiedler);
    return all;
  }

  /** First to start and last to stop, so that he hears how the others come and go. */
  static Started rogers(LimitTable limits, RedisAddress address, Running running) throws Exception {
    Settings settings = limits.settings();
    Mad mad = new Mad(Rogers.NAME, limits, running);
    ModelConfig modelConfig = ModelConfig.from(settings, Rogers.NAME);
    soleOwner(settings, running);
    Database database = mad.open(KnownStore.ROGERS);
    ConversationBus bus = mad.connectBus(address);
    Models models = running.add("rogers' models", models(modelConfig, mad));
    RogersConfig config =
        RogersConfig.from(settings, modelConfig.secrets(), Version.current(), mad.time().instant());
    Rogers rogers =
        new Rogers(
            config,
            database,
            bus,
            mad.tap(address),
            models,
            Meanings.of(settings, mad.time()),
            mad.time(),
            Pause.system(),
            mad.meters());
    running.add(Rogers.NAME, rogers.start());
    mad.check("traffic", rogers::problem);
    ToolRegistry tools = mad.registry(rogers.tools());
    mad.admit(KnownSettings.ROGERS_SSH_PORT, tools, rogers.verbs(tools), rogers.states(), bus);
    McpService service = rogers.service(tools, Version.current());
    return mad.started(mad.serve(KnownSettings.ROGERS_PORT, service));
  }

  private static void soleOwner(Settings settings, Running running) throws Unavailable {
    try {
      running.add("rogers' right to the store", SoleOwner.of(KnownStore.ROGERS.file(settings)));
    } catch (SoleOwner.Refused e) {
      throw new Unavailable(String.valueOf(e.getMessage()), e);
    }
  }

  static Started grace(LimitTable limits, RedisAddress address, Running running) throws Exception {
    Settings settings = limits.settings();
    Mad mad = new Mad(Grace.NAME, limits, running);
    ConversationBus bus = mad.joinBus(address);
    Grace grace =
        new Grace(
            GraceConfig.from(settings, limits.plan()),
            bus,
            mad.time(),
            Pause.system(),
            mad.meters());
    running.add(Grace.NAME, grace.start());
    ToolRegistry tools = mad.registry(grace.tools());
    mad.admit(KnownSettings.GRACE_SSH_PORT, tools, grace.verbs(), grace.states(), bus);
    McpService service = grace.service(tools, Version.current());
    return mad.started(mad.serve(KnownSettings.GRACE_PORT, service));
  }

  static Started fiedler(LimitTable limits, RedisAddress address, Running running)
      throws Exception {
    Settings settings = limits.settings();
    Mad mad = new Mad(Fiedler.NAME, limits, running);
    ModelConfig modelConfig = ModelConfig.from(settings, Fiedler.NAME);
    Database database = mad.open(KnownStore.FIEDLER);
    ConversationBus bus = mad.joinBus(address);
    Models models = running.add("fiedler's models", models(modelConfig, mad));
    FiedlerConfig config =
        new FiedlerConfig(
            TasksConfig.from(settings, modelConfig.secrets()),
            Charter.from(settings, TaskSettings.FIEDLER_IMPERATOR_FILE, Fiedler.class),
            Version.current(),
            mad.time().instant());
    Fiedler fiedler =
        new Fiedler(
            config,
            database,
            bus,
            models,
            Meanings.of(settings, mad.time()),
            mad.time(),
            Pause.system(),
            mad.meters());
    running.add(Fiedler.NAME, fiedler.start());
    mad.check("tasks", fiedler::problem);
    ToolRegistry tools = mad.registry(fiedler.tools());
    mad.admit(KnownSettings.FIEDLER_SSH_PORT, tools, fiedler.verbs(tools), fiedler.states(), bus);
    McpService service = fiedler.service(tools, Version.current());
    return mad.started(mad.serve(KnownSettings.FIEDLER_PORT, service));
  }

  /** LangChain4j is loaded only where a model is configured: it is large. */
  private static Models models(ModelConfig config, Mad mad) {
    return config.provider() == KnownSettings.ModelProvider.NONE
        ? Models.none()
        : LangChainModels.open(
            config,
            new Models.Patience(mad.time(), System::nanoTime, Pause.system(), new Random()));
  }
}
