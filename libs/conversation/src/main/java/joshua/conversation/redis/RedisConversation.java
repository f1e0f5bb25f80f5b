package joshua.conversation.redis;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ConversationBus;
import joshua.conversation.Participant;
import joshua.kernel.TimedWait;

/** The entry point for other services (REQ-JC-01): one call joins the bus. */
public final class RedisConversation {
  private static final long ENVELOPE_LIMIT = 1024 * 1024;

  private RedisConversation() {}

  /**
   * Joins the bus.
   *
   * @param name the {@code sender_id} of what is sent, and the name on {@code mad.direct.…}
   * @param redisUrl {@code redis://}, {@code rediss://} or {@code redis-sentinel://}
   * @param password the password; takes precedence over one in the URL
   * @throws BusUnavailableException when Redis can't be reached or refuses the password
   */
  public static ConversationBus join(String name, String redisUrl, String password)
      throws BusUnavailableException, InterruptedException {
    InstantSource time = InstantSource.system();
    Participant self =
        new Participant(name, UUID.randomUUID().toString(), version(), time.instant());
    RedisAddress address =
        RedisAddress.of(
            redisUrl,
            Optional.of(password),
            Optional.empty(),
            ConnectionTimeouts.CONTRACT.connectWithin());
    return new ConversationBus(
            self,
            new RedisLink(name, address, TimedWait.system(), time),
            time,
            ENVELOPE_LIMIT,
            new SimpleMeterRegistry(),
            ConversationBus::noDetail)
        .open();
  }

  private static String version() {
    return Optional.ofNullable(RedisConversation.class.getPackage().getImplementationVersion())
        .orElse("unknown");
  }
}
