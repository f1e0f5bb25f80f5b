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
import joshua.kernel.ServiceLifecycle;
import joshua.kernel.Settings;
import joshua.kernel.TaskSettings;
import joshua.kernel.TimedWait;
import joshua.network.ToolRegistry;
import joshua.network.mcp.McpService;
import joshua.rogers.Rogers;
import joshua.rogers.RogersConfig;
import joshua.rogers.store.DatabaseLock;
import joshua.state.Database;
import joshua.tasks.TasksConfig;
import joshua.thought.LanguageModels;
import joshua.thought.ModelConfig;
import joshua.thought.SystemPrompt;
import joshua.thought.langchain.LangChainModels;

/** The MADs, and how each is wired: {@code up} starts them together, other commands one by one. */
final class MadWiring {
  /** The name of Redis in {@code run.json}. */
  static final String REDIS = "redis";

  private MadWiring() {}

  /** Starts one MAD; returns where it listens. */
  @FunctionalInterface
  interface Start {
    Started start(LimitTable limits, RedisAddress bus, ServiceLifecycle serviceLifecycle)
        throws Exception;
  }

  /**
   * Where a MAD that has just started listens.
   *
   * @param port for its tools
   * @param ssh how admins connect by SSH, or why they can't, as a sentence
   */
  record Started(int port, Optional<Integer> sshPort, String ssh) {}

  /** Every MAD by its name, in the order in which they start. */
  static SequencedMap<String, Start> all() {
    SequencedMap<String, Start> all = new LinkedHashMap<>();
    all.put(Rogers.NAME, MadWiring::rogers);
    all.put(Grace.NAME, MadWiring::grace);
    all.put(Fiedler.NAME, MadWiring::fiedler);
    return all;
  }

  /**
   * Rogers is the first to start and the last to stop, so that it sees how the others come and go.
   */
  static Started rogers(LimitTable limits, RedisAddress address, ServiceLifecycle serviceLifecycle)
      throws Exception {
    Settings settings = limits.settings();
    MadRuntime madRuntime = new MadRuntime(Rogers.NAME, limits, serviceLifecycle);
    ModelConfig modelConfig = ModelConfig.from(settings, Rogers.NAME);
    soleOwner(settings, serviceLifecycle);
    Database database = madRuntime.open(KnownStore.ROGERS);
    ConversationBus bus = madRuntime.connectBus(address);
    LanguageModels languageModels =
        serviceLifecycle.add("rogers' models", models(modelConfig, madRuntime));
    RogersConfig config =
        RogersConfig.from(
            settings, modelConfig.secrets(), BuildVersion.current(), madRuntime.time().instant());
    Rogers rogers =
        new Rogers(
            config,
            database,
            bus,
            madRuntime.tap(address),
            languageModels,
            EmbeddingModel.of(settings, madRuntime.time()),
            madRuntime.time(),
            TimedWait.system(),
            madRuntime.meters());
    serviceLifecycle.add(Rogers.NAME, rogers.start());
    madRuntime.check("traffic", rogers::problem);
    ToolRegistry tools = madRuntime.registry(rogers.tools());
    madRuntime.admit(
        KnownSettings.ROGERS_SSH_PORT, tools, rogers.verbs(tools), rogers.states(), bus);
    McpService service = rogers.service(tools, BuildVersion.current());
    return madRuntime.started(madRuntime.serve(KnownSettings.ROGERS_PORT, service));
  }

  private static void soleOwner(Settings settings, ServiceLifecycle serviceLifecycle)
      throws ServiceUnavailableException {
    try {
      serviceLifecycle.add(
          "rogers' right to the store", DatabaseLock.of(KnownStore.ROGERS.file(settings)));
    } catch (DatabaseLock.LockRefusedException e) {
      throw new ServiceUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  static Started grace(LimitTable limits, RedisAddress address, ServiceLifecycle serviceLifecycle)
      throws Exception {
    Settings settings = limits.settings();
    MadRuntime madRuntime = new MadRuntime(Grace.NAME, limits, serviceLifecycle);
    ConversationBus bus = madRuntime.joinBus(address);
    Grace grace =
        new Grace(
            GraceConfig.from(settings, limits.plan()),
            bus,
            madRuntime.time(),
            TimedWait.system(),
            madRuntime.meters());
    serviceLifecycle.add(Grace.NAME, grace.start());
    ToolRegistry tools = madRuntime.registry(grace.tools());
    madRuntime.admit(KnownSettings.GRACE_SSH_PORT, tools, grace.verbs(), grace.states(), bus);
    McpService service = grace.service(tools, BuildVersion.current());
    return madRuntime.started(madRuntime.serve(KnownSettings.GRACE_PORT, service));
  }

  static Started fiedler(LimitTable limits, RedisAddress address, ServiceLifecycle serviceLifecycle)
      throws Exception {
    Settings settings = limits.settings();
    MadRuntime madRuntime = new MadRuntime(Fiedler.NAME, limits, serviceLifecycle);
    ModelConfig modelConfig = ModelConfig.from(settings, Fiedler.NAME);
    Database database = madRuntime.open(KnownStore.FIEDLER);
    ConversationBus bus = madRuntime.joinBus(address);
    LanguageModels languageModels =
        serviceLifecycle.add("fiedler's models", models(modelConfig, madRuntime));
    FiedlerConfig config =
        new FiedlerConfig(
            TasksConfig.from(settings, modelConfig.secrets()),
            SystemPrompt.from(settings, TaskSettings.FIEDLER_IMPERATOR_FILE, Fiedler.class),
            BuildVersion.current(),
            madRuntime.time().instant());
    Fiedler fiedler =
        new Fiedler(
            config,
            database,
            bus,
            languageModels,
            EmbeddingModel.of(settings, madRuntime.time()),
            madRuntime.time(),
            TimedWait.system(),
            madRuntime.meters());
    serviceLifecycle.add(Fiedler.NAME, fiedler.start());
    madRuntime.check("tasks", fiedler::problem);
    ToolRegistry tools = madRuntime.registry(fiedler.tools());
    madRuntime.admit(
        KnownSettings.FIEDLER_SSH_PORT, tools, fiedler.verbs(tools), fiedler.states(), bus);
    McpService service = fiedler.service(tools, BuildVersion.current());
    return madRuntime.started(madRuntime.serve(KnownSettings.FIEDLER_PORT, service));
  }

  /** LangChain4j is loaded only where a model is configured: it is large. */
  private static LanguageModels models(ModelConfig config, MadRuntime madRuntime) {
    return config.provider() == KnownSettings.ModelProvider.NONE
        ? LanguageModels.none()
        : LangChainModels.open(
            config,
            new LanguageModels.Patience(
                madRuntime.time(), System::nanoTime, TimedWait.system(), new Random()));
  }
}
