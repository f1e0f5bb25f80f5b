package joshua.app;

import joshua.conversation.redis.RedisAddress;
import joshua.grace.Grace;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import picocli.CommandLine.Command;

/** {@code joshua grace}: the relay alone in its process, as images and kill tests run it. */
@Command(name = "grace", description = "Run Grace, the relay, alone, on a Redis that runs already.")
final class GraceCommand implements Subcommand {
  @Override
  public boolean listens() {
    return true;
  }

  @Override
  public int run(Settings settings, Surroundings around) throws Exception {
    RedisAddress bus = BusAddress.running(settings);
    return Foreground.run(running -> {
      int port = Group.grace(settings, bus, running);
      around
          .out()
          .printf(
              "%s listens on %s port %d, on the bus at %s.%n",
              Grace.NAME, settings.get(KnownSettings.BIND), port, bus.describe());
      around.out().flush();
    });
  }
}
