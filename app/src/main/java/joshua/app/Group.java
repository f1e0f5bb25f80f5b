package joshua.app;

import java.util.Map;
import java.util.TreeMap;
import joshua.conversation.ConversationBus;
import joshua.conversation.redis.RedisAddress;
import joshua.grace.Grace;
import joshua.grace.GraceConfig;
import joshua.kernel.KnownSettings;
import joshua.kernel.Pause;
import joshua.kernel.Running;
import joshua.kernel.Settings;
import joshua.network.mcp.McpService;

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
    return new TreeMap<>(Map.of(Grace.NAME, Group::grace));
  }

  static int grace(Settings settings, RedisAddress address, Running running) throws Exception {
    Mad mad = new Mad(Grace.NAME, settings, running);
    ConversationBus bus = mad.joinBus(address);
    Grace grace =
        new Grace(GraceConfig.from(settings), bus, mad.time(), Pause.system(), mad.meters());
    running.add(Grace.NAME, grace.start());
    McpService service = grace.service(mad.registry(grace.tools()), Version.current());
    return mad.serve(KnownSettings.GRACE_PORT, service, grace.readiness());
  }
}
