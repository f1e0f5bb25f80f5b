package joshua.app.group;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import joshua.app.redis.EmbeddedRedis;
import joshua.app.settings.CommonSettings;
import joshua.app.settings.Logging;
import joshua.conversation.BusConnection;
import joshua.conversation.BusIdentity;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Timing;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisTransport;
import joshua.kernel.ServiceLifecycle;
import joshua.network.Access;
import joshua.network.Authenticator;
import joshua.network.ReadinessCheck;
import joshua.network.TokenFile;
import joshua.network.ToolRegistry;
import joshua.network.http.MessageBudget;
import joshua.network.http.ToolServer;
import joshua.service.RunningService;
import joshua.service.ServiceContext;
import joshua.service.ServiceDescriptor;
import joshua.service.admin.CommonTools;
import joshua.service.admin.RecentLog;
import joshua.service.admin.Setting;
import joshua.ssh.LocalSocket;
import joshua.ssh.VerbHost;
import joshua.ssh.mina.SshServers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A group in this process: the embedded Redis if there is no other, the services, their ports. */
final class Group implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Group.class);

  /** A service to run, with its own settings. */
  record Chosen<S>(ServiceDescriptor<S> service, S settings, int port, int sshPort) {
    RunningService start(ServiceContext context)
        throws IOException, BusUnavailableException, InterruptedException {
      return service.start().start(context, settings);
    }
  }

  private final ServiceLifecycle parts = new ServiceLifecycle();
  private final List<Chosen<?>> services;
  private final CommonSettings settings;
  private final MessageBudget budget;
  private final List<Setting> shown;
  private final RecentLog recentLog;
  private final InstantSource time = InstantSource.system();
  private final String instance = UUID.randomUUID().toString();
  private final Access access;
  private final String version;
  private final Map<String, String> addresses = Collections.synchronizedMap(new LinkedHashMap<>());
  private final Map<String, VerbHost> verbs = new LinkedHashMap<>();
  private final SshServers ssh;
  private final RunFile runFile;

  /**
   * Starts a group, which is usable when this returns.
   *
   * @param shown the same settings and those of the services, for people
   * @param recentLog what this process logs
   * @throws IOException with a sentence for the user
   * @throws BusUnavailableException where Redis can't be used
   */
  Group(
      CommonSettings settings,
      List<Setting> shown,
      RecentLog recentLog,
      List<Chosen<?>> services,
      Access access,
      String version)
      throws IOException, BusUnavailableException, InterruptedException {
    this.services = services;
    this.settings = settings;
    this.budget = settings.messageBudget();
    this.shown = shown;
    this.recentLog = recentLog;
    this.access = access;
    this.version = version;
    this.ssh = new SshServers(settings.ssh(access));
    try {
      runFile = run();
    } catch (IOException | BusUnavailableException | InterruptedException | RuntimeException e) {
      parts.close();
      throw e;
    }
  }

  private RunFile run() throws IOException, BusUnavailableException, InterruptedException {
    Path directory =
        parts.add("data directory", DataDirectory.open(settings.dataDirectory())).path();
    parts.add("audit log", Logging.audit(directory));
    String passwordFile = null;
    RedisAddress address = settings.redis().orElse(null);
    if (address == null) {
      Setting port =
          shown.stream().filter(each -> each.name().equals("redis-port")).findFirst().orElseThrow();
      boolean isSet = !port.source().equals("default");
      EmbeddedRedis redis =
          parts.add("redis", EmbeddedRedis.start(directory, settings.redisPort(), isSet));
      address = RedisAddress.of(redis.url(), Optional.of(redis.password()));
      passwordFile = redis.passwordFile().toString();
    }
    BusConnection bus =
        parts.add(
            "bus",
            new BusConnection(
                RedisTransport.to(address, "joshua", Timing.CONTRACT, time), Timing.CONTRACT));
    Optional<Path> tokens = settings.tokensFile();
    Authenticator authenticator =
        tokens.isPresent()
            ? new TokenFile(tokens.get(), access, System::nanoTime)
            : Authenticator.OPEN;
    services.forEach(chosen -> addresses.put(chosen.service().name(), "")); // in their order
    for (Chosen<?> chosen : services.reversed()) {
      // The relay lets clients in as the last and stops as the first; the monitor hears it all.
      start(chosen, bus, authenticator, directory);
    }
    LocalSocket socket =
        parts.add("socket", LocalSocket.open(directory.resolve("joshua.sock"), verbs));
    parts.add("ssh", ssh).start(services.stream().map(this::endpoint).toList());
    ProcessHandle self = ProcessHandle.current();
    RunFile written =
        new RunFile(
            self.pid(),
            RunFile.started(self),
            version,
            Build.ofThisProgram().orElse(null),
            address.toString(),
            passwordFile,
            socket.path().toString(),
            addresses,
            settings.tokensFile().isPresent(),
            ssh.ports());
    written.write(directory);
    log.info("the group runs: {}; Redis at {}", addresses, written.redis());
    parts.add("run file", () -> RunFile.delete(directory));
    return written;
  }

  private SshServers.Endpoint endpoint(Chosen<?> chosen) {
    String name = chosen.service().name();
    return new SshServers.Endpoint(
        Objects.requireNonNull(verbs.get(name)), chosen.sshPort(), setting(name, "SSH_PORT"));
  }

  private static String setting(String service, String what) {
    return "JOSHUA_%s_%s".formatted(service.toUpperCase(Locale.ROOT), what);
  }

  private void start(Chosen<?> chosen, BusConnection bus, Authenticator authenticator, Path data)
      throws IOException, BusUnavailableException, InterruptedException {
    ServiceDescriptor<?> service = chosen.service();
    BusIdentity self = new BusIdentity(service.name(), instance, version, time.instant());
    PrometheusRegistry metrics = new PrometheusRegistry();
    RunningService running =
        parts.add(
            service.name(),
            chosen.start(
                new ServiceContext(
                    bus,
                    self,
                    time,
                    service.database(data),
                    metrics,
                    access,
                    settings.directReaders(),
                    addresses)));
    List<ReadinessCheck> checks = new ArrayList<>(running.readiness());
    checks.add(new ReadinessCheck("tokens", authenticator::problem));
    List<ReadinessCheck> remarks = new ArrayList<>(running.remarks());
    remarks.add(new ReadinessCheck("ssh", ssh::problem));
    ToolServer server =
        parts.add(
            service.name() + " port",
            ToolServer.start(
                running.catalog(),
                checks,
                running::stopping,
                metrics,
                settings.server(
                    chosen.port(), setting(service.name(), "PORT"), authenticator, budget)));
    String address = "http://%s:%d/mcp".formatted(settings.host(), server.port());
    addresses.put(service.name(), address);
    ToolRegistry tools =
        running
            .catalog()
            .tools()
            .with(
                List.of(
                    CommonTools.status(self, address, checks, remarks),
                    CommonTools.state(metrics),
                    CommonTools.logs(recentLog),
                    CommonTools.config(shown)));
    verbs.put(service.name(), new VerbHost(service.name(), tools, service.allVerbs(), this::whose));
  }

  /** Whose verb it is, in a sentence, if that service runs here. */
  private Optional<String> whose(String verb) {
    return services.stream()
        .filter(chosen ->
            chosen.service().verbs().stream()
                .anyMatch(each -> VerbHost.spec(each).name().equals(verb)))
        .findFirst()
        .map(chosen ->
            "That is %1$s's: joshua %1$s %2$s, or SSH port %3$d."
                .formatted(chosen.service().name(), verb, chosen.sshPort()));
  }

  /** The content of {@code run.json}. */
  RunFile runFile() {
    return runFile;
  }

  @Override
  public void close() {
    parts.close();
  }
}
