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
import joshua.conversation.BusUnavailable;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.kernel.HeapPlan;
import joshua.kernel.Pause;

/** The bus over Redis Pub/Sub (REQ-JC-02), by Lettuce and RESP3. */
public final class RedisLink implements BusLink {
  private final RedisAddress address;
  private final EventLoops loops = new EventLoops();
  private final ClientResources resources;
  private final RedisClient client;
  private final PublishingEnd publishingEnd;
  private final ReceivingEnd receivingEnd;

  /** For the only service of this process. */
  public RedisLink(String name, RedisAddress address, Pause pause, InstantSource time) {
    this(name, address, HeapPlan.ofThisProcess(1), pause, time);
  }

  /**
   * For one of the services of this process.
   *
   * @param plan by which it has its part of the heap for messages on their way
   */
  public RedisLink(
      String name, RedisAddress address, HeapPlan plan, Pause pause, InstantSource time) {
    this(name, address, LineTiming.CONTRACT, plan, pause, time);
  }

  RedisLink(
      String name,
      RedisAddress address,
      LineTiming timing,
      HeapPlan plan,
      Pause pause,
      InstantSource time) {
    this.address = address;
    this.resources = RedisClients.resources().nettyCustomizer(loops).build();
    this.client = RedisClients.client(resources, address, timing, ProtocolVersion.RESP3);
    RedisURI uri = address.uriFor("joshua-" + name, timing.openWithin());
    Backoff backoff = new Backoff(new SecureRandom());
    this.publishingEnd =
        new PublishingEnd(
            address,
            RedisClients.CODEC,
            () -> client.connectAsync(RedisClients.CODEC, uri),
            timing,
            backoff,
            pause,
            time,
            plan.bytes(RedisLimits.PUBLISHED));
    this.receivingEnd =
        new ReceivingEnd(
            address,
            () -> client.connectPubSubAsync(RedisClients.CODEC, uri),
            timing,
            backoff,
            pause,
            time,
            plan.bytes(RedisLimits.RECEIVED));
  }

  @Override
  public void open(Feed feed) throws BusUnavailable, InterruptedException {
    try {
      publishingEnd.open();
      receivingEnd.open(feed);
    } catch (BusUnavailable | InterruptedException e) {
      close();
      throw e;
    }
  }

  @Override
  public CompletionStage<Publication> publish(Channel channel, byte[] body) {
    return publishingEnd.publish(channel, body);
  }

  @Override
  public long want(ChannelPattern subscription) {
    return receivingEnd.want(subscription);
  }

  @Override
  public void unwant(ChannelPattern subscription) {
    receivingEnd.unwant(subscription);
  }

  @Override
  public CompletionStage<List<Long>> listeners(List<Channel> channels) {
    return publishingEnd.listeners(channels);
  }

  @Override
  public CompletionStage<Long> patterns() {
    return publishingEnd.patterns();
  }

  @Override
  public boolean isUsable() {
    return publishingEnd.isConnected() && receivingEnd.isConnected();
  }

  @Override
  public String address() {
    return address.describe();
  }

  @Override
  public void close() {
    publishingEnd.close();
    receivingEnd.close();
    loops.close();
    RedisClients.shutdown(client, resources);
  }
}
