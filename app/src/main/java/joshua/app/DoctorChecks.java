package joshua.app;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import joshua.app.audit.AuditStore;
import joshua.app.doctor.ClockCheck;
import joshua.app.doctor.DatabaseCheck;
import joshua.app.doctor.DirectoryCheck;
import joshua.app.doctor.GroupCheck;
import joshua.app.doctor.HealthCheck;
import joshua.app.doctor.HostAddresses;
import joshua.app.doctor.HttpPages;
import joshua.app.doctor.JavaCheck;
import joshua.app.doctor.KeysCheck;
import joshua.app.doctor.MachineCheck;
import joshua.app.doctor.MadCheck;
import joshua.app.doctor.ModelCheck;
import joshua.app.doctor.ModesCheck;
import joshua.app.doctor.PortCheck;
import joshua.app.doctor.RedisCheck;
import joshua.app.doctor.RunningGroup;
import joshua.app.doctor.SettingsCheck;
import joshua.app.doctor.TokensCheck;
import joshua.conversation.redis.RedisAddress;
import joshua.fiedler.Fiedler;
import joshua.kernel.KnownSettings;
import joshua.kernel.RogersSettings;
import joshua.kernel.Setting;
import joshua.kernel.Settings;
import joshua.kernel.TaskSettings;
import joshua.network.http.ToolServer;
import joshua.rogers.Rogers;
import joshua.ssh.AuthorizedKeysLocation;
import joshua.ssh.mina.SshConfig;
import joshua.thought.ModelConfig;
import joshua.thought.SystemPrompt;

/** The checks of the doctor, in order, with what each of them needs to know. */
final class DoctorChecks {
  private static final List<String> THINKING = List.of(Fiedler.NAME, Rogers.NAME);

  private final Settings settings;
  private final ProcessEnvironment around;
  private final HttpPages httpPages;
  private final boolean everyPage;
  private final InstantSource time = InstantSource.system();
  private final Path data;
  private final InetAddress bind;
  private final Optional<RunningSettings> running;

  DoctorChecks(Settings own, ProcessEnvironment around, HttpPages httpPages, boolean everyPage) {
    this.running = RunningSettings.ask(own, around);
    this.settings = running.map(RunningSettings::settings).orElse(own);
    this.around = around;
    this.httpPages = httpPages;
    this.everyPage = everyPage;
    this.data = settings.get(KnownSettings.DATA_DIR);
    this.bind = InetAddress.ofLiteral(settings.get(KnownSettings.BIND));
  }

  List<HealthCheck> all() {
    List<HealthCheck> all = new ArrayList<>();
    List<String> problems = new ArrayList<>(SettingsLoader.bindProblems(settings));
    Map<ModelConfig, List<String>> models = models(problems);
    InetAddress sshBind = sshBind(problems);
    charter(TaskSettings.FIEDLER_IMPERATOR_FILE, Fiedler.class, problems);
    charter(RogersSettings.IMPERATOR_FILE, Rogers.class, problems);
    all.add(JavaCheck.ofThisProcess());
    all.add(new SettingsCheck(settings, problems, asked()));
    all.add(
        MachineCheck.ofThisProcess(
            settings.find(KnownSettings.GRACE_QUEUE_BYTES),
            KnownMad.all().size(),
            ToolServer.MAX_CONNECTIONS));
    all.add(new DirectoryCheck(data, longestSocket()));
    all.add(new ModesCheck(data, named()));
    all.add(new ClockCheck(data, time));
    Optional<RunningGroup> group = Optional.empty();
    boolean held = false;
    try {
      group =
          RunFile.find(data)
              .map(run ->
                  new RunningGroup(run.startedAt(), run.pids(), run.ports(), run.programs()));
      held = DataDirectory.isHeld(data);
      all.add(new GroupCheck(data, group, held));
    } catch (ServiceUnavailableException | IOException e) {
      all.add(GroupCheck.unknown(String.valueOf(e.getMessage())));
    }
    all.addAll(ports(group, sshBind));
    all.add(bus(held, group));
    for (KnownMad mad : KnownMad.all()) {
      all.add(
          new MadCheck(
              mad.name(),
              HostAddresses.reachable(bind),
              port(mad.name(), mad.port(), group),
              held,
              BuildVersion.current(),
              httpPages));
    }
    all.addAll(databases(held));
    all.add(
        new TokensCheck(
            bind,
            settings.find(KnownSettings.TOKENS_FILE),
            settings.find(KnownSettings.TOKEN_FILE),
            System::nanoTime));
    all.add(new KeysCheck(AuthorizedKeysLocation.of(settings).inForce(), time));
    models.forEach(
        (config, who) -> all.add(new ModelCheck(String.join(" and ", who), config, httpPages)));
    running
        .filter(_ -> THINKING.stream().anyMatch(this::isKeyUnknown))
        .ifPresent(from -> all.add(ModelCheck.unknown(from.mad())));
    return all;
  }

  private List<HealthCheck> databases(boolean held) {
    List<HealthCheck> all = new ArrayList<>();
    for (KnownStore store : KnownStore.all()) {
      all.add(new DatabaseCheck(store.file(settings), store.migrations(), held, everyPage));
    }
    for (KnownMad mad : KnownMad.all()) {
      Path audit = AdminAccess.auditFile(settings, mad.name());
      all.add(new DatabaseCheck(audit, AuditStore.migrations(), held, everyPage));
    }
    return all;
  }

  private boolean isKeyUnknown(String mad) {
    return isUnknown(KnownSettings.MODEL_API_KEY)
        || isUnknown(KnownSettings.of(mad, KnownSettings.MODEL_API_KEY));
  }

  /** The running MAD whose settings are checked, if there is one. */
  private Optional<String> asked() {
    return running.map(from ->
        from.others().isEmpty()
            ? "as %s runs with them".formatted(from.mad())
            : "as %s runs with them; this command's own differ in %s and don't count"
                .formatted(from.mad(), String.join(", ", from.others())));
  }

  private boolean isUnknown(Setting<?> secret) {
    return running.filter(from -> from.isUnknown(secret)).isPresent();
  }

  /** Each model server once, with the MADs that use it. */
  private Map<ModelConfig, List<String>> models(List<String> problems) {
    Map<ModelConfig, List<String>> models = new LinkedHashMap<>();
    for (String mad : THINKING) {
      if (isKeyUnknown(mad)) {
        continue;
      }
      try {
        models
            .computeIfAbsent(ModelConfig.from(settings, mad), config -> new ArrayList<>())
            .add(mad);
      } catch (Settings.InvalidSettingsException e) {
        e.problems().stream().filter(each -> !problems.contains(each)).forEach(problems::add);
      }
    }
    return models;
  }

  private void charter(Setting<Path> file, Class<?> mad, List<String> problems) {
    try {
      var _ = SystemPrompt.from(settings, file, mad);
    } catch (Settings.InvalidSettingsException e) {
      problems.addAll(e.problems());
    }
  }

  private Path longestSocket() {
    return data.resolve(Fiedler.NAME).resolve("admin.sock");
  }

  private List<ModesCheck.Guarded> named() {
    List<ModesCheck.Guarded> named = new ArrayList<>();
    List<Setting<Path>> secrets =
        List.of(
            KnownSettings.TOKEN_FILE,
            KnownSettings.REDIS_PASSWORD_FILE,
            KnownSettings.MODEL_API_KEY_FILE,
            KnownSettings.of(Fiedler.NAME, KnownSettings.MODEL_API_KEY_FILE),
            KnownSettings.of(Rogers.NAME, KnownSettings.MODEL_API_KEY_FILE));
    for (Setting<Path> secret : secrets) {
      settings.find(secret).ifPresent(file -> named.add(new ModesCheck.Guarded(file, true)));
    }
    settings
        .find(KnownSettings.TOKENS_FILE)
        .ifPresent(file -> named.add(new ModesCheck.Guarded(file, false)));
    named.add(new ModesCheck.Guarded(settings.get(KnownSettings.SETTINGS_FILE), holdsSecrets()));
    named.add(new ModesCheck.Guarded(around.home().resolve(".env"), true));
    return named;
  }

  private boolean holdsSecrets() {
    return settings.known().stream()
        .anyMatch(each -> each.secret() && settings.source(each) == Settings.Source.FILE);
  }

  private List<HealthCheck> ports(Optional<RunningGroup> group, InetAddress sshBind) {
    List<HealthCheck> ports = new ArrayList<>();
    for (KnownMad mad : KnownMad.all()) {
      ports.add(listener(mad.name(), mad.port(), bind, owner(mad, group), group));
    }
    for (KnownMad mad : KnownMad.all()) {
      ports.add(listener(mad.sshPort().key(), mad.sshPort(), sshBind, owner(mad, group), group));
    }
    if (settings.find(KnownSettings.REDIS_URL).isEmpty()) {
      InetAddress loopback = InetAddress.getLoopbackAddress();
      ports.add(
          listener(MadWiring.REDIS, KnownSettings.REDIS_PORT, loopback, Optional.empty(), group));
    }
    return ports;
  }

  private Optional<PortCheck.Owner> owner(KnownMad mad, Optional<RunningGroup> group) {
    return Optional.of(new PortCheck.Owner(mad.name(), bind, port(mad.name(), mad.port(), group)));
  }

  /** The address that SSH would bind to; if that is unknown, the one for everything else. */
  private InetAddress sshBind(List<String> problems) {
    try {
      return SshConfig.from(settings, KnownSettings.GRACE_SSH_PORT, data).address();
    } catch (Settings.InvalidSettingsException e) {
      problems.addAll(e.problems());
      return bind;
    }
  }

  private HealthCheck listener(
      String name,
      Setting<Integer> setting,
      InetAddress address,
      Optional<PortCheck.Owner> owner,
      Optional<RunningGroup> group) {
    boolean redis = name.equals(MadWiring.REDIS);
    boolean movable = redis && settings.source(setting) == Settings.Source.DEFAULT;
    return new PortCheck(
        name,
        setting.environmentName(),
        address,
        port(name, setting, group),
        movable,
        owner,
        group,
        httpPages);
  }

  private int port(String name, Setting<Integer> setting, Optional<RunningGroup> group) {
    return group
        .flatMap(each -> Optional.ofNullable(each.ports().get(name)))
        .orElseGet(() -> settings.get(setting));
  }

  private HealthCheck bus(boolean held, Optional<RunningGroup> group) {
    if (isUnknown(KnownSettings.REDIS_URL)) {
      return RedisCheck.unknown(
          "the running group keeps the address to itself; set JOSHUA_REDIS_URL here, too");
    }
    boolean embedded = settings.find(KnownSettings.REDIS_URL).isEmpty();
    try {
      RedisAddress address = BusAddress.running(settings);
      return new RedisCheck(
          address,
          embedded,
          group.map(each -> each.programs().get(MadWiring.REDIS)),
          settings.get(KnownSettings.ENVELOPE_LIMIT),
          time);
    } catch (UsageException | ServiceUnavailableException | IOException e) {
      return RedisCheck.unknown(embedded && !held, String.valueOf(e.getMessage()));
    }
  }
}
