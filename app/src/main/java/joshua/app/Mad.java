package joshua.app;

import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.conversation.BusUnavailable;
import joshua.conversation.ConversationBus;
import joshua.conversation.Participant;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisLink;
import joshua.kernel.KnownSettings;
import joshua.kernel.Pause;
import joshua.kernel.Running;
import joshua.kernel.Setting;
import joshua.kernel.Settings;
import joshua.network.Authenticator;
import joshua.network.ReadinessCheck;
import joshua.network.TokenFile;
import joshua.network.Tool;
import joshua.network.ToolRegistry;
import joshua.network.http.CannotListen;
import joshua.network.http.ToolServer;
import joshua.network.http.ToolServerConfig;
import joshua.network.mcp.McpService;
import joshua.state.CannotOpen;
import joshua.state.Database;

/**
 * What every MAD stands on, whether alone in its process or beside others: its own connections to
 * the bus, its own metrics, its own port.
 */
final class Mad {
  private final String name;
  private final Settings settings;
  private final Running running;
  private final InstantSource time = InstantSource.system();
  private final PrometheusMeterRegistry meters =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final List<ReadinessCheck> checks = new ArrayList<>();

  /**
   * Begins a MAD.
   *
   * @param running takes each part as soon as it runs
   */
  Mad(String name, Settings settings, Running running) {
    this.name = name;
    this.settings = settings;
    this.running = running;
    meters.config().commonTags("mad", name);
    new UptimeMetrics().bindTo(meters);
    new JvmMemoryMetrics().bindTo(meters);
    new JvmThreadMetrics().bindTo(meters);
    new ProcessorMetrics().bindTo(meters);
  }

  InstantSource time() {
    return time;
  }

  PrometheusMeterRegistry meters() {
    return meters;
  }

  /** Connects it to the bus, announced by its name. */
  ConversationBus joinBus(RedisAddress address) throws Unavailable, InterruptedException {
    Participant self =
        new Participant(name, UUID.randomUUID().toString(), Version.current(), time.instant());
    ConversationBus bus =
        new ConversationBus(
            self,
            new RedisLink(name, address, Pause.system(), time),
            time,
            settings.get(KnownSettings.ENVELOPE_LIMIT),
            meters,
            ConversationBus::noDetail);
    checks.add(
        ReadinessCheck.of(
            "bus",
            () ->
                bus.isUsable()
                    ? Optional.empty()
                    : Optional.of("Redis at %s is away".formatted(bus.address()))));
    try {
      return running.add(name + "'s bus", bus.open());
    } catch (BusUnavailable e) {
      throw new Unavailable(String.valueOf(e.getMessage()), e);
    }
  }

  /** Opens its database. */
  Database open(KnownStore store) throws Unavailable {
    try {
      Database database =
          running.add(
              name + "'s store", Database.open(store.file(settings), store.migrations(), meters));
      checks.add(ReadinessCheck.of("store", database::problem));
      return database;
    } catch (CannotOpen e) {
      throw new Unavailable(String.valueOf(e.getMessage()), e);
    }
  }

  /** The tools, ready to be called and counted. */
  ToolRegistry registry(List<Tool> tools) {
    return new ToolRegistry(tools, meters, time);
  }

  /**
   * Serves it.
   *
   * @return the port, the one that was taken if any free one was asked for
   */
  int serve(Setting<Integer> port, McpService service)
      throws Settings.Invalid, Misuse, Unavailable {
    ToolServer.Parts parts =
        new ToolServer.Parts(
            service, checks, authenticator(), meters, time, System::nanoTime, Pause.system());
    try {
      ToolServer server = ToolServer.start(ToolServerConfig.from(settings, port), parts);
      return running.add(name + "'s listener", server).port();
    } catch (CannotListen e) {
      throw new Unavailable(String.valueOf(e.getMessage()), e);
    }
  }

  private Authenticator authenticator() throws Misuse {
    Optional<Path> file = settings.find(KnownSettings.TOKENS_FILE);
    if (file.isEmpty()) {
      return Authenticator.open();
    }
    try {
      return TokenFile.open(file.get(), System::nanoTime);
    } catch (TokenFile.Faulty e) {
      throw new Misuse(List.of(String.valueOf(e.getMessage())));
    }
  }
}
