package joshua.app;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import joshua.conversation.ConversationBus;
import joshua.conversation.redis.RedisAddress;
import joshua.fiedler.Fiedler;
import joshua.fiedler.FiedlerConfig;
import joshua.grace.Grace;
import joshua.grace.GraceConfig;
import joshua.kernel.KnownSettings;
import joshua.kernel.Pause;
import joshua.kernel.Running;
import joshua.kernel.Settings;
import joshua.network.mcp.McpService;
import joshua.state.Database;
import joshua.tasks.TasksConfig;
import joshua.thought.ModelConfig;
import joshua.thought.Models;
import joshua.thought.langchain.LangChainModels;

/** The MADs, and how each is wired: what {@code up} starts together, and others one by one. */
final class Group {
  /** The name of Redis in {@code run.json}. */
  static final String REDIS = "redis";

  private Group() {}

  /** Starts one MAD; the port that it listens on. */
  @FunctionalInterface
  interface Start {
    int start(Settings settings, RedisAddress bus, Running running) throws Exception;
  }

  /** Every MAD by its name, in the order of their starts. */
  static Map<String, Start> all() {
    return new TreeMap<>(Map.of(Grace.NAME, Group::grace, Fiedler.NAME, Group::fiedler));
  }

  static int grace(Settings settings, RedisAddress address, Running running) throws Exception {
    Mad mad = new Mad(Grace.NAME, settings, running);
    ConversationBus bus = mad.joinBus(address);
    Grace grace =
        new Grace(GraceConfig.from(settings), bus, mad.time(), Pause.system(), mad.meters());
    running.add(Grace.NAME, grace.start());
    McpService service = grace.service(mad.registry(grace.tools()), Version.current());
    return mad.serve(KnownSettings.GRACE_PORT, service);
  }

  static int fiedler(Settings settings, RedisAddress address, Running running) throws Exception {
    Mad mad = new Mad(Fiedler.NAME, settings, running);
    ModelConfig modelConfig = ModelConfig.from(settings, Fiedler.NAME);
    Database database = mad.open(KnownStore.FIEDLER);
    ConversationBus bus = mad.joinBus(address);
    Models models = running.add("fiedler's models", models(modelConfig, mad));
    FiedlerConfig config =
        new FiedlerConfig(
            TasksConfig.from(settings, modelConfig.secrets()),
            Version.current(),
            mad.time().instant());
    Fiedler fiedler =
        new Fiedler(
            config,
            database,
            bus,
            models,
            Meanings.of(settings),
            mad.time(),
            Pause.system(),
            mad.meters());
    running.add(Fiedler.NAME, fiedler.start());
    McpService service = fiedler.service(mad.registry(fiedler.tools()), Version.current());
    return mad.serve(KnownSettings.FIEDLER_PORT, service);
  }

  /** LangChain4j is loaded only where a model is configured: it is large. */
  private static Models models(ModelConfig config, Mad mad) {
    return config.provider() == KnownSettings.ModelProvider.NONE
        ? Models.none()
        : LangChainModels.open(
            config, new Models.Patience(mad.time(), Pause.system(), new Random()));
  }
}
