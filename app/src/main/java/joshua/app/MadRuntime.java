package joshua.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import joshua.app.audit.AuditStore;
import joshua.app.verbs.MadSelfReport;
import joshua.conversation.BusTap;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ConversationBus;
import joshua.conversation.EnvelopeSchema;
import joshua.conversation.Participant;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisLink;
import joshua.conversation.redis.RedisTap;
import joshua.kernel.FileBudget;
import joshua.kernel.HeapPlan;
import joshua.kernel.Json;
import joshua.kernel.KnownSettings;
import joshua.kernel.LimitTable;
import joshua.kernel.ProcessWatchdog;
import joshua.kernel.ServiceLifecycle;
import joshua.kernel.Setting;
import joshua.kernel.Settings;
import joshua.kernel.TimedWait;
import joshua.network.Authenticator;
import joshua.network.ReadinessCheck;
import joshua.network.TokenFile;
import joshua.network.Tool;
import joshua.network.ToolRegistry;
import joshua.network.http.CannotListenException;
import joshua.network.http.PublicPage;
import joshua.network.http.ServerLimits;
import joshua.network.http.ToolServer;
import joshua.network.http.ToolServerConfig;
import joshua.network.mcp.McpService;
import joshua.ssh.CommandHost;
import joshua.ssh.StateView;
import joshua.ssh.Verb;
import joshua.ssh.mina.SshListener;
import joshua.state.CannotOpenException;
import joshua.state.Database;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The foundation of every MAD, whether alone in its process or next to others: its own connections
 * to the bus, its own metrics, its own port.
 */
final class MadRuntime {
  private static final Logger log = LoggerFactory.getLogger(MadRuntime.class);
  private static final PublicPage ENVELOPE_SCHEMA =
      new PublicPage("/schema/envelope.json", "application/schema+json", EnvelopeSchema.text());

  private final String name;
  private final Settings settings;
  private final HeapPlan plan;
  private final ServiceLifecycle serviceLifecycle;
  private final InstantSource time = InstantSource.system();
  private final PrometheusMeterRegistry meters =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Instant startedAt;
  private final List<ReadinessCheck> checks = new CopyOnWriteArrayList<>();
  private final List<BusTap> taps = new CopyOnWriteArrayList<>();
  private final List<MadSelfReport.Listener> listeners = new CopyOnWriteArrayList<>();
  private volatile @Nullable SshListener ssh;

  /**
   * @param limits that define its part of the heap
   * @param serviceLifecycle takes each part as soon as it runs
   */
  MadRuntime(String name, LimitTable limits, ServiceLifecycle serviceLifecycle) {
    this.name = name;
    this.settings = limits.settings();
    this.plan = limits.plan();
    this.serviceLifecycle = serviceLifecycle;
    this.startedAt = time.instant();
    checks.add(ReadinessCheck.of("process", ProcessWatchdog.OF_THIS_PROCESS::problem));
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

  /** Connects the MAD to the bus, and announces it by its name. */
  ConversationBus joinBus(RedisAddress address)
      throws ServiceUnavailableException, InterruptedException {
    ConversationBus bus = connectBus(address);
    try {
      bus.join();
      return bus;
    } catch (BusUnavailableException e) {
      throw new ServiceUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Connects the MAD to the bus by its name, without announcing it: it joins by itself. */
  ConversationBus connectBus(RedisAddress address)
      throws ServiceUnavailableException, InterruptedException {
    Participant self =
        new Participant(name, UUID.randomUUID().toString(), BuildVersion.current(), time.instant());
    ConversationBus bus =
        new ConversationBus(
            self,
            new RedisLink(name, address, plan, TimedWait.system(), time),
            time,
            settings.get(KnownSettings.ENVELOPE_LIMIT),
            meters,
            this::detail);
    checks.add(
        ReadinessCheck.of(
            "bus",
            () ->
                bus.isUsable()
                    ? Optional.empty()
                    : Optional.of("Redis at %s is away".formatted(bus.address()))));
    try {
      return serviceLifecycle.add(name + "'s bus", bus.openUnannounced());
    } catch (BusUnavailableException e) {
      throw new ServiceUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The detail of its heartbeats: its taps, which relays don't count as receivers. */
  private ObjectNode detail() {
    long open = taps.stream().filter(BusTap::isUsable).count();
    return open == 0 ? ConversationBus.noDetail() : Json.object().put("taps", open);
  }

  /** A tap that sees everything on the bus, once it is opened. */
  BusTap tap(RedisAddress address) {
    BusTap tap =
        new RedisTap(
            name, address, settings.get(KnownSettings.ENVELOPE_LIMIT), TimedWait.system(), time);
    taps.add(tap);
    checks.add(
        ReadinessCheck.of(
            "tap",
            () ->
                tap.isUsable()
                    ? Optional.empty()
                    : Optional.of("Redis at %s is away".formatted(tap.address()))));
    return tap;
  }

  /** Opens its database. */
  Database open(KnownStore store) throws ServiceUnavailableException {
    try {
      Database database =
          serviceLifecycle.add(
              name + "'s store", Database.open(store.file(settings), store.migrations(), meters));
      // The sentence names paths, and a health check needs no token; the log has it.
      checks.add(
          ReadinessCheck.of(
              "store",
              () ->
                  database
                      .problem()
                      .map(_ ->
                          database.isFull()
                              ? "the database's disk is full: nothing can be kept; make room on it"
                              : "the database is in trouble; the log says why")));
      return database;
    } catch (CannotOpenException e) {
      throw new ServiceUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Makes {@code /readyz} report a problem for as long as there is one. */
  void check(String name, Supplier<Optional<String>> problem) {
    checks.add(ReadinessCheck.of(name, problem));
  }

  /** The tools, ready to be called, with metrics. */
  ToolRegistry registry(List<Tool> tools) {
    return new ToolRegistry(tools, meters, time);
  }

  /**
   * Opens admin access, by a socket in the data directory and by SSH (REQ-JS-01…06).
   *
   * @param verbs its own, besides those that every MAD has
   * @param states its own
   */
  void admit(
      Setting<Integer> sshPort,
      ToolRegistry tools,
      List<Supplier<? extends Verb>> verbs,
      List<StateView> states,
      ConversationBus bus)
      throws Settings.InvalidSettingsException, ServiceUnavailableException {
    AuditStore audit = AdminAccess.audit(name, settings, bus, serviceLifecycle);
    MadSelfReport madSelfReport =
        new MadSelfReport(
            name,
            BuildVersion.current(),
            startedAt,
            this::listeners,
            () -> checks,
            AdminAccess.states(states, bus, settings),
            tools,
            settings,
            LogRing.OF_THIS_PROCESS,
            audit,
            TimedWait.system());
    CommandHost host = AdminAccess.host(madSelfReport, verbs, time);
    AdminAccess.socket(host, settings, serviceLifecycle).ifPresent(listeners::add);
    SshListener listening = AdminAccess.ssh(host, audit, sshPort, settings, time, serviceLifecycle);
    checks.add(ReadinessCheck.of("ssh", listening::failure));
    AdminAccess.measure(listening, meters);
    ssh = listening;
  }

  /** The addresses that it listens on now. */
  MadWiring.Started started(int port) {
    SshListener listening = ssh;
    if (listening == null) {
      throw new IllegalStateException("nobody has been let in yet");
    }
    return new MadWiring.Started(port, listening.port(), AdminAccess.sentence(listening));
  }

  private List<MadSelfReport.Listener> listeners() {
    List<MadSelfReport.Listener> all = new ArrayList<>(listeners);
    SshListener listening = ssh;
    if (listening != null) {
      all.add(AdminAccess.listener(listening));
    }
    return all;
  }

  /**
   * Starts its tool server.
   *
   * @return the port; a free one if the setting asks for any
   */
  int serve(Setting<Integer> port, McpService service)
      throws Settings.InvalidSettingsException, UsageException, ServiceUnavailableException {
    ToolServer.Parts parts =
        new ToolServer.Parts(
            service,
            checks,
            List.of(ENVELOPE_SCHEMA),
            authenticator(),
            meters,
            time,
            System::nanoTime,
            TimedWait.system());
    try {
      ToolServer server = ToolServer.start(config(port), parts);
      int taken = serviceLifecycle.add(name + "'s listener", server).port();
      String address = settings.get(KnownSettings.BIND) + ":" + taken;
      listeners.add(new MadSelfReport.Listener("http", address, "/mcp, /ws, /metrics, /readyz"));
      return taken;
    } catch (CannotListenException e) {
      throw new ServiceUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * The configuration with as many connections as its part of the heap and of the process's files
   * allow.
   */
  private ToolServerConfig config(Setting<Integer> port) throws Settings.InvalidSettingsException {
    int fit = ServerLimits.connections(plan);
    ToolServerConfig config = ToolServerConfig.from(settings, port).withConnections(fit);
    return FileBudget.ofThisProcess(plan.services())
        .map(files -> config.withConnections(files.connections(fit)))
        .orElse(config);
  }

  /** Logs once at a start if there are too few files for all the connections. */
  static void tellShortage(HeapPlan plan) {
    FileBudget.ofThisProcess(plan.services())
        .flatMap(files -> files.shortage(ServerLimits.connections(plan)))
        .ifPresent(sentence -> log.warn("{} joshua doctor says what to raise.", sentence));
  }

  private Authenticator authenticator() throws UsageException {
    Optional<Path> file = settings.find(KnownSettings.TOKENS_FILE);
    if (file.isEmpty()) {
      return Authenticator.open();
    }
    try {
      TokenFile tokens = TokenFile.open(file.get(), System::nanoTime);
      checks.add(ReadinessCheck.of("tokens", tokens::problem));
      return tokens;
    } catch (TokenFile.InvalidTokenFileException e) {
      throw new UsageException(List.of(String.valueOf(e.getMessage())));
    }
  }
}
