package joshua.conversation.redis;

import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import joshua.conversation.BusIdentity;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ConversationBus;
import joshua.conversation.Timing;

/** The entry point for programs outside of Joshua: joins the bus in one call (REQ-JC-01). */
public final class RedisConversation {
  private RedisConversation() {}

  /**
   * Joins the bus.
   *
   * @param name the {@code sender_id} of what is sent, and the name on {@code mad.direct.…}
   * @param redisUrl {@code redis://}, {@code rediss://} or {@code redis-sentinel://}
   * @param password takes precedence over one in the URL
   * @throws BusUnavailableException where Redis can't be reached or refuses the password
   * @throws IllegalArgumentException where the name or the URL is invalid
   */
  public static ConversationBus join(String name, String redisUrl, String password)
      throws BusUnavailableException, InterruptedException {
    return join(name, RedisAddress.of(redisUrl, Optional.of(password)), Timing.CONTRACT);
  }

  /** As above, with intervals of one's own. */
  public static ConversationBus join(String name, RedisAddress address, Timing timing)
      throws BusUnavailableException, InterruptedException {
    InstantSource time = InstantSource.system();
    String version =
        Optional.ofNullable(RedisConversation.class.getPackage().getImplementationVersion())
            .orElse("unknown");
    BusIdentity self = new BusIdentity(name, UUID.randomUUID().toString(), version, time.instant());
    return ConversationBus.connectAndJoin(
        RedisTransport.to(address, name, timing, time), timing, self, time);
  }
}
