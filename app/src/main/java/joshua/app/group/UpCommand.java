package joshua.app.group;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import joshua.app.settings.CommonSettings;
import joshua.app.settings.ConsoleCommand;
import joshua.app.settings.Logging;
import joshua.app.settings.SettingSources;
import joshua.conversation.BusUnavailableException;
import joshua.network.Access;
import joshua.service.ServiceDescriptor;
import joshua.service.ServiceSettings;
import joshua.service.admin.RecentLog;
import joshua.ssh.ExitStatus;
import joshua.thought.model.AnswerSettings;
import joshua.thought.model.ModelConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code up}: runs the group. */
@Command(
    name = "up",
    description = "Runs the group, until Ctrl-C or ./joshua stop.",
    sortOptions = false)
public final class UpCommand extends ConsoleCommand implements Callable<Integer> {
  @Mixin private CommonSettings settings;

  @Option(
      names = {"-d", "--detach"},
      description = "Run in the background; returns when the group is ready.")
  private boolean detach;

  @Option(names = DetachedStart.DETACHED, hidden = true)
  private boolean detached;

  @Parameters(
      arity = "0..*",
      paramLabel = "SERVICE",
      description = "The services to run; all, if none is named.")
  private List<String> named = List.of();

  private final SettingSources sources;
  private final List<ServiceDescriptor<?>> services;
  private final Access access;
  private final String version;
  private final Map<String, Object> mixins = new LinkedHashMap<>();
  private final List<Shared> shared = new ArrayList<>();

  private UpCommand(
      SettingSources sources, List<ServiceDescriptor<?>> services, Access access, String version) {
    this.sources = sources;
    this.services = services;
    this.access = access;
    this.version = version;
  }

  /** The command, with the options of all services. */
  public static CommandSpec spec(
      SettingSources sources, List<ServiceDescriptor<?>> services, Access access, String version) {
    UpCommand command = new UpCommand(sources, services, access, version);
    CommandSpec spec = CommandSpec.forAnnotatedObject(command);
    spec.defaultValueProvider(sources);
    for (ServiceDescriptor<?> service : services) {
      Object mixin = service.settings().get();
      command.mixins.put(service.name(), mixin);
      command.add(spec, CommandSpec.forAnnotatedObjectLenient(mixin));
      if (mixin instanceof ServiceSettings more) {
        addOwn(spec, service.name(), CommandSpec.forAnnotatedObjectLenient(more.own()));
      }
      spec.addOption(port(service, "port", service.port(), "Where the tools of %s are."));
      spec.addOption(
          port(service, "ssh-port", service.sshPort(), "Where administrators of %s log in."));
    }
    return spec;
  }

  private static OptionSpec port(
      ServiceDescriptor<?> service, String which, int usual, String description) {
    return OptionSpec.builder("--%s-%s".formatted(service.name(), which))
        .type(int.class)
        .paramLabel("PORT")
        .defaultValue(Integer.toString(usual))
        .description(description.formatted(service.name()))
        .build();
  }

  /** Adds options; one that several services have is parsed once, and then given to all of them. */
  private void add(CommandSpec spec, CommandSpec more) {
    for (OptionSpec option : more.options()) {
      OptionSpec known = spec.findOption(option.longestName());
      if (known == null) {
        spec.addOption(OptionSpec.builder(option).build());
      } else {
        shared.add(new Shared(known, option.setter()));
      }
    }
  }

  /** An option of one service that another service has, too. */
  private record Shared(OptionSpec parsed, ISetter other) {
    void share() {
      try {
        other.set(parsed.getValue());
      } catch (Exception e) {
        throw new IllegalStateException(parsed.longestName(), e);
      }
    }
  }

  private static void addOwn(CommandSpec spec, String service, CommandSpec own) {
    for (OptionSpec option : own.options()) {
      String name = option.longestName().replaceFirst("--", "--%s-".formatted(service));
      OptionSpec.Builder builder = OptionSpec.builder(option).names(name);
      if (spec.findOption(option.longestName()) != null) {
        builder.description("The same for %s; its provider replaces them all.".formatted(service));
      }
      spec.addOption(builder.build());
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Group.Chosen<?>> chosen = chosen();
    List<String> problems = problems();
    if (!problems.isEmpty()) {
      throw wrong(String.join(System.lineSeparator(), problems));
    }
    if (detach) {
      return DetachedStart.run(settings, version, spec().commandLine());
    }
    Optional<Path> output = Optional.of(DetachedStart.log(settings)).filter(_ -> detached);
    RecentLog recentLog = Logging.configure(settings, output);
    Group group;
    try {
      group = new Group(settings, sources.table(spec()), recentLog, chosen, access, version);
    } catch (BusUnavailableException e) {
      throw new IOException(e.getMessage(), e);
    }
    CountDownLatch closed = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  group.close();
                  closed.countDown();
                },
                "stop"));
    Banner.lines(group.runFile(), settings).forEach(out()::println);
    out().flush();
    closed.await();
    return ExitStatus.OK;
  }

  private List<Group.Chosen<?>> chosen() {
    List<String> names = services.stream().map(ServiceDescriptor::name).toList();
    for (String name : named) {
      if (!names.contains(name)) {
        throw wrong(
            "There is no service %s; there are %s.".formatted(name, String.join(", ", names)));
      }
    }
    return services.stream()
        .filter(service -> named.isEmpty() || named.contains(service.name()))
        .<Group.Chosen<?>>map(service -> chosen(service))
        .toList();
  }

  @SuppressWarnings("unchecked") // the mixin was made by this descriptor
  private <S> Group.Chosen<S> chosen(ServiceDescriptor<S> service) {
    S own = (S) Objects.requireNonNull(mixins.get(service.name()));
    return new Group.Chosen<>(service, own, port(service, "port"), port(service, "ssh-port"));
  }

  /** What is wrong with the settings, in sentences. */
  public List<String> problems() {
    shared.forEach(Shared::share);
    List<String> problems =
        sources.unknown(spec().options().stream().map(OptionSpec::longestName).toList());
    try {
      if (!InetAddress.getByName(settings.bind()).isLoopbackAddress()
          && settings.tokensFile().isEmpty()) {
        problems.add(
            "JOSHUA_BIND is %s, which others reach: that needs JOSHUA_TOKENS_FILE."
                .formatted(settings.bind()));
      }
    } catch (UnknownHostException e) {
      problems.add("JOSHUA_BIND is %s, which is no address.".formatted(settings.bind()));
    }
    for (Object mixin : mixins.values()) {
      if (mixin instanceof ServiceSettings more) {
        problems.addAll(more.problems());
      }
    }
    return problems.stream().distinct().toList(); // services share some settings
  }

  /** The models that services would ask, where all settings are right. */
  public Set<ModelConfig> models() {
    Set<ModelConfig> models = new LinkedHashSet<>();
    if (problems().isEmpty()) {
      for (Object mixin : mixins.values()) {
        if (mixin instanceof AnswerSettings.Owner owner) {
          models.add(owner.answers().model());
        }
      }
      models.remove(ModelConfig.NONE);
    }
    return models;
  }

  public CommonSettings settings() {
    return settings;
  }

  /** Which names are services'. */
  public Access access() {
    return access;
  }

  /** Where the tools of each service are to be. */
  public Map<String, Integer> ports() {
    Map<String, Integer> ports = new LinkedHashMap<>();
    services.forEach(service -> ports.put(service.name(), port(service, "port")));
    return ports;
  }

  private int port(ServiceDescriptor<?> service, String which) {
    return spec().findOption("--%s-%s".formatted(service.name(), which)).getValue();
  }
}
