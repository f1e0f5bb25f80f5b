package joshua.conversation.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletionStage;
import joshua.conversation.BusLink;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.kernel.HeapPlan;
import joshua.kernel.TimedWait;

/** The bus over Redis Pub/Sub (REQ-JC-02), by Lettuce and RESP3. */
public final class RedisLink implements BusLink {
  private final RedisAddress address;
  private final EventLoops loops = new EventLoops();
  private final ClientResources resources;
  private final RedisClient client;
  private final PublisherConnection publisherConnection;
  private final SubscriberConnection subscriberConnection;

  /** Creates the link of the only service of this process. */
  public RedisLink(String name, RedisAddress address, TimedWait timedWait, InstantSource time) {
    this(name, address, HeapPlan.ofThisProcess(1), timedWait, time);
  }

  /**
   * For one of the services of this process.
   *
   * @param plan by which it has its part of the heap for messages on their way
   */
  public RedisLink(
      String name, RedisAddress address, HeapPlan plan, TimedWait timedWait, InstantSource time) {
    this(name, address, ConnectionTimeouts.CONTRACT, plan, timedWait, time);
  }

  RedisLink(
      String name,
      RedisAddress address,
      ConnectionTimeouts timing,
      HeapPlan plan,
      TimedWait timedWait,
      InstantSource time) {
    this.address = address;
    this.resources = RedisClients.resources().nettyCustomizer(loops).build();
    this.client = RedisClients.client(resources, address, timing, ProtocolVersion.RESP3);
    RedisURI uri = address.uriFor("joshua-" + name, timing.openWithin());
    ReconnectBackoff reconnectBackoff = new ReconnectBackoff(new SecureRandom());
    this.publisherConnection =
        new PublisherConnection(
            address,
            RedisClients.CODEC,
            () -> client.connectAsync(RedisClients.CODEC, uri),
            timing,
            reconnectBackoff,
            timedWait,
            time,
            plan.bytes(RedisLimits.PUBLISHED));
    this.subscriberConnection =
        new SubscriberConnection(
            address,
            () -> client.connectPubSubAsync(RedisClients.CODEC, uri),
            timing,
            reconnectBackoff,
            timedWait,
            time,
            plan.bytes(RedisLimits.RECEIVED));
  }

  @Override
  public void open(Feed feed) throws BusUnavailableException, InterruptedException {
    try {
      publisherConnection.open();
      subscriberConnection.open(feed);
    } catch (BusUnavailableException | InterruptedException e) {
      close();
      throw e;
    }
  }

  @Override
  public CompletionStage<Publication> publish(Channel channel, byte[] body) {
    return publisherConnection.publish(channel, body);
  }

  @Override
  public long want(ChannelPattern subscription) {
    return subscriberConnection.want(subscription);
  }

  @Override
  public void unwant(ChannelPattern subscription) {
    subscriberConnection.unwant(subscription);
  }

  @Override
  public CompletionStage<List<Long>> listeners(List<Channel> channels) {
    return publisherConnection.listeners(channels);
  }

  @Override
  public CompletionStage<Long> patterns() {
    return publisherConnection.patterns();
  }

  @Override
  public boolean isUsable() {
    return publisherConnection.isConnected() && subscriberConnection.isConnected();
  }

  @Override
  public String address() {
    return address.describe();
  }

  @Override
  public void close() {
    publisherConnection.close();
    subscriberConnection.close();
    loops.close();
    RedisClients.shutdown(client, resources);
  }
}
