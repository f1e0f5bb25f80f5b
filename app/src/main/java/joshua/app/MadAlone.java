package joshua.app;

import java.util.List;
import joshua.conversation.redis.RedisAddress;
import joshua.kernel.KnownSettings;
import joshua.kernel.LimitTable;
import joshua.kernel.Settings;
import joshua.ssh.AuthorizedKeysLocation;
import joshua.ssh.mina.SshListener;

/** Runs one MAD alone in its process, as images and kill tests do. */
abstract class MadAlone implements Subcommand {
  private final String name;
  private final MadWiring.Start start;

  MadAlone(String name, MadWiring.Start start) {
    this.name = name;
    this.start = start;
  }

  @Override
  public boolean listens() {
    return true;
  }

  @Override
  public int run(Settings settings, ProcessEnvironment around) throws Exception {
    LimitTable limits = LimitCatalog.of(settings, List.of(name));
    RedisAddress bus = BusAddress.running(settings);
    SshListener.prepare();
    return ForegroundRun.run(
        settings,
        serviceLifecycle -> {
          WatchdogExit.tellOfTheLast(settings.get(KnownSettings.DATA_DIR));
          MadWiring.Started started = start.start(limits, bus, serviceLifecycle);
          MadRuntime.tellShortage(limits.plan());
          limits.scaling().ifPresent(around.out()::println);
          AuthorizedKeysLocation.of(settings).notice().ifPresent(around.out()::println);
          around
              .out()
              .printf(
                  "Admins: %s%n%s listens on %s port %d, on the bus at %s.%n",
                  started.ssh(),
                  name,
                  settings.get(KnownSettings.BIND),
                  started.port(),
                  bus.describe());
          around.out().flush();
        });
  }
}
