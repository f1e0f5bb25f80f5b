package joshua.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import joshua.app.audit.AuditEvents;
import joshua.app.audit.AuditStore;
import joshua.app.verbs.CommonStates;
import joshua.app.verbs.MadSelfReport;
import joshua.conversation.ConversationBus;
import joshua.kernel.ClockSources;
import joshua.kernel.Json;
import joshua.kernel.KnownSettings;
import joshua.kernel.ServiceLifecycle;
import joshua.kernel.Setting;
import joshua.kernel.Settings;
import joshua.kernel.TimedWait;
import joshua.ssh.CommandHost;
import joshua.ssh.StateView;
import joshua.ssh.Verb;
import joshua.ssh.mina.AdminShell;
import joshua.ssh.mina.SshConfig;
import joshua.ssh.mina.SshListener;
import joshua.ssh.socket.AdminSocket;
import joshua.state.CannotOpenException;
import joshua.state.Database;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wires the admin access of one MAD: its audit log, its commands, and the ways to reach them
 * (REQ-JS-01…06, +JS-07).
 */
final class AdminAccess {
  private static final Logger log = LoggerFactory.getLogger(AdminAccess.class);

  private AdminAccess() {}

  /** {@code <data>/<mad>/audit.db}. */
  static Path auditFile(Settings settings, String mad) {
    return settings.get(KnownSettings.DATA_DIR).resolve(mad).resolve("audit.db");
  }

  /** Opens the audit log of a MAD; its records are published on the bus as well. */
  static AuditStore audit(
      String mad, Settings settings, ConversationBus bus, ServiceLifecycle serviceLifecycle)
      throws ServiceUnavailableException {
    try {
      // Its metrics would carry the names of the MAD's own database.
      Database database =
          serviceLifecycle.add(
              mad + "'s audit",
              Database.open(
                  auditFile(settings, mad), AuditStore.migrations(), new SimpleMeterRegistry()));
      AuditEvents events = serviceLifecycle.add(mad + "'s audit events", AuditEvents.of(mad, bus));
      return new AuditStore(database, events::note);
    } catch (CannotOpenException e) {
      throw new ServiceUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  /** All parts of a MAD's state: its own, then those that every MAD has. */
  static List<StateView> states(List<StateView> own, ConversationBus bus, Settings settings) {
    List<StateView> all = new ArrayList<>(own);
    all.addAll(CommonStates.of(bus));
    all.add(
        new StateView(
            MadWiring.REDIS, "the program that the bus runs on", () -> redis(bus, settings)));
    return List.copyOf(all);
  }

  private static JsonNode redis(ConversationBus bus, Settings settings) {
    boolean embedded = settings.find(KnownSettings.REDIS_URL).isEmpty();
    ObjectNode redis = Json.object().put("address", bus.address()).put("embedded", embedded);
    return embedded ? redis.put("program", program(settings)) : redis;
  }

  private static @Nullable String program(Settings settings) {
    try {
      return RunFile.read(settings.get(KnownSettings.DATA_DIR))
          .map(run -> run.programs().get(MadWiring.REDIS))
          .orElse(null);
    } catch (IOException | ServiceUnavailableException e) {
      log.debug("run.json can't be read", e);
      return null;
    }
  }

  /** The host of its commands: those that every MAD has, then its own. */
  static CommandHost host(
      MadSelfReport madSelfReport, List<Supplier<? extends Verb>> own, InstantSource time) {
    List<Supplier<? extends Verb>> all = new ArrayList<>(madSelfReport.verbs());
    all.addAll(own);
    return new CommandHost(madSelfReport.name(), all, madSelfReport.audit(), time);
  }

  /** Opens the socket in the data directory; returns where it is, if it could be opened. */
  static Optional<MadSelfReport.Listener> socket(
      CommandHost host, Settings settings, ServiceLifecycle serviceLifecycle) {
    Path file = AdminSockets.file(settings, host.mad());
    try {
      serviceLifecycle.add(host.mad() + "'s admin socket", AdminSocket.open(file, host));
      return Optional.of(
          new MadSelfReport.Listener("socket", file.toString(), "joshua at " + host.mad()));
    } catch (AdminSocket.UnusableSocketException e) {
      log.warn("{} runs without a socket for admins: {}", host.mad(), e.getMessage());
      return Optional.empty();
    }
  }

  /** Starts to accept SSH logins, or to wait until a key is allowed in. */
  static SshListener ssh(
      CommandHost host,
      AuditStore audit,
      Setting<Integer> port,
      Settings settings,
      InstantSource time,
      ServiceLifecycle serviceLifecycle)
      throws Settings.InvalidSettingsException, ServiceUnavailableException {
    Path directory = settings.get(KnownSettings.DATA_DIR).resolve(host.mad());
    SshConfig config = SshConfig.from(settings, port, directory);
    try {
      return serviceLifecycle.add(
          host.mad() + "'s SSH",
          SshListener.start(
              config,
              host,
              new AdminShell(),
              audit,
              new ClockSources(time, System::nanoTime, TimedWait.system())));
    } catch (IOException e) {
      throw new ServiceUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Adds SSH logins to {@code /metrics}. */
  static void measure(SshListener ssh, MeterRegistry meters) {
    FunctionCounter.builder("joshua.ssh.logins", ssh, each -> each.counts().logins())
        .description("Logins by SSH")
        .register(meters);
    FunctionCounter.builder("joshua.ssh.refused", ssh, each -> each.counts().refused())
        .description("Attempts to log in by SSH that were refused")
        .register(meters);
    Gauge.builder("joshua.ssh.sessions", ssh, each -> each.counts().sessions())
        .description("Sessions of SSH that are open")
        .register(meters);
  }

  /** The current state of SSH, for {@code mad-status}. */
  static MadSelfReport.Listener listener(SshListener ssh) {
    return ssh.port()
        .map(port ->
            new MadSelfReport.Listener(
                "ssh",
                ssh.address().getHostAddress() + ":" + port,
                "login name mad, host key " + ssh.fingerprint()))
        .orElseGet(() -> new MadSelfReport.Listener("ssh", "-", ssh.problem().orElse("")));
  }

  /** The current state of SSH, for the person who has just started the MAD. */
  static String sentence(SshListener ssh) {
    return ssh.port()
        .map(port ->
            "ssh -p %d mad@%s   host key %s"
                .formatted(port, ssh.address().getHostAddress(), ssh.fingerprint()))
        .orElseGet(() -> "no SSH: " + ssh.problem().orElse(""));
  }
}
