package joshua.app;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.InstantSource;
import java.util.UUID;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ConversationBus;
import joshua.conversation.Participant;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisLink;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import joshua.kernel.TimedWait;

/** A short connection to the running group's bus, without heartbeats: for one subcommand. */
final class TemporaryBusConnection {
  private TemporaryBusConnection() {}

  static ConversationBus as(String name, Settings settings)
      throws UsageException, ServiceUnavailableException, IOException, InterruptedException {
    RedisAddress address = BusAddress.running(settings);
    InstantSource time = InstantSource.system();
    try {
      return new ConversationBus(
              new Participant(
                  name, UUID.randomUUID().toString(), BuildVersion.current(), time.instant()),
              new RedisLink(name, address, TimedWait.system(), time),
              time,
              settings.get(KnownSettings.ENVELOPE_LIMIT),
              new SimpleMeterRegistry(),
              ConversationBus::noDetail)
          .openUnannounced();
    } catch (BusUnavailableException e) {
      throw new ServiceUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }
}
