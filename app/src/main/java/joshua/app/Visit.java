package joshua.app;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.InstantSource;
import java.util.UUID;
import joshua.conversation.BusUnavailable;
import joshua.conversation.ConversationBus;
import joshua.conversation.Participant;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisLink;
import joshua.kernel.KnownSettings;
import joshua.kernel.Pause;
import joshua.kernel.Settings;

/** A short stay on the bus of the running group, without heartbeats: for one subcommand. */
final class Visit {
  private Visit() {}

  static ConversationBus as(String name, Settings settings)
      throws Misuse, Unavailable, IOException, InterruptedException {
    RedisAddress address = BusAddress.running(settings);
    InstantSource time = InstantSource.system();
    try {
      return new ConversationBus(
              new Participant(
                  name, UUID.randomUUID().toString(), Version.current(), time.instant()),
              new RedisLink(name, address, Pause.system(), time),
              time,
              settings.get(KnownSettings.ENVELOPE_LIMIT),
              new SimpleMeterRegistry(),
              ConversationBus::noDetail)
          .openUnannounced();
    } catch (BusUnavailable e) {
      throw new Unavailable(String.valueOf(e.getMessage()), e);
    }
  }
}
