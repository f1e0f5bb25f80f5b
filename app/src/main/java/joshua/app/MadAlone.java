package joshua.app;

import joshua.conversation.redis.RedisAddress;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;

/** One MAD alone in its process, as images and kill tests run it. */
abstract class MadAlone implements Subcommand {
  private final String name;
  private final Group.Start start;

  MadAlone(String name, Group.Start start) {
    this.name = name;
    this.start = start;
  }

  @Override
  public boolean listens() {
    return true;
  }

  @Override
  public int run(Settings settings, Surroundings around) throws Exception {
    RedisAddress bus = BusAddress.running(settings);
    return Foreground.run(running -> {
      int port = start.start(settings, bus, running);
      around
          .out()
          .printf(
              "%s listens on %s port %d, on the bus at %s.%n",
              name, settings.get(KnownSettings.BIND), port, bus.describe());
      around.out().flush();
    });
  }
}
