package joshua.conversation.redis;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import joshua.conversation.BusLink;
import joshua.kernel.HeapPlan;
import joshua.kernel.TimedWait;
import joshua.testing.FaultProxy;
import joshua.testing.NetworkFault;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import joshua.testing.bus.BusLinkContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A real Redis meets the contract of the in-memory bus. */
class RedisLinkTest extends BusLinkContract {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final ConnectionTimeouts CALM =
      new ConnectionTimeouts(LONG, LONG, LONG, LONG, LONG);

  private static RealRedis redis;
  private RawRedis third;
  private FaultProxy network;

  @BeforeAll
  static void startRedis() {
    redis = RealRedis.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  @BeforeEach
  void connect() {
    third = redis.raw();
    network = FaultProxy.before(redis.port());
    await().atMost(LONG).until(() -> third.patterns() == 0 && third.channels("*").isEmpty());
  }

  @AfterEach
  void disconnect() {
    network.close();
    third.close();
  }

  @Override
  public BusLink link() throws Exception {
    RedisAddress address =
        RedisAddress.of(network.url(), Optional.of(redis.password()), Optional.empty(), LONG);
    TimedWait briefly = _ -> TimedWait.system().pause(Duration.ofMillis(5));
    return new RedisLink(
        "test", address, CALM, HeapPlan.ofThisProcess(1), briefly, InstantSource.system());
  }

  @Override
  public long publish(String channel, byte[] body) {
    return third.publish(channel, body);
  }

  @Override
  public void cut() {
    network.inject(new NetworkFault.Cut());
  }

  @Override
  public void heal() {
    network.heal();
  }
}
