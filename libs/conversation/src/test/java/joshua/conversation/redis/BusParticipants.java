package joshua.conversation.redis;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ConversationBus;
import joshua.conversation.Participant;
import joshua.kernel.HeapPlan;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;
import joshua.testing.RealRedis;
import org.awaitility.Awaitility;

/** A Redis and the participants on it in a test; closes them all. */
final class BusParticipants implements AutoCloseable {
  static final long ENVELOPE_LIMIT = 64 * 1024;
  static final HeapPlan PLAN = HeapPlan.ofThisProcess(1);

  /** For tests with a good connection: no false alarm on a busy machine. */
  static final ConnectionTimeouts CALM =
      new ConnectionTimeouts(
          Duration.ofSeconds(5),
          Duration.ofSeconds(20),
          Duration.ofSeconds(20),
          Duration.ofSeconds(20),
          Duration.ofSeconds(20));

  /** For tests that wait until a connection is given up. */
  static final ConnectionTimeouts FAST =
      new ConnectionTimeouts(
          Duration.ofMillis(500),
          Duration.ofMillis(500),
          Duration.ofSeconds(20),
          Duration.ofSeconds(5),
          Duration.ofSeconds(1));

  static {
    // On an idle machine everything comes soon; this is for a busy one.
    Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
    Awaitility.setDefaultPollDelay(Duration.ZERO);
  }

  private final RealRedis redis = RealRedis.start();
  private final List<ConversationBus> open = new ArrayList<>();

  /** The metrics of all participants. */
  final MeterRegistry meters = new SimpleMeterRegistry();

  RealRedis redis() {
    return redis;
  }

  ConversationBus join(String name) throws BusUnavailableException, InterruptedException {
    return join(name, redis.url(), CALM);
  }

  ConversationBus join(String name, String url, ConnectionTimeouts timing)
      throws BusUnavailableException, InterruptedException {
    return join(name, address(url), timing);
  }

  ConversationBus join(String name, RedisAddress address, ConnectionTimeouts timing)
      throws BusUnavailableException, InterruptedException {
    return join(name, address, timing, TimedWait.system());
  }

  ConversationBus join(
      String name, RedisAddress address, ConnectionTimeouts timing, TimedWait timedWait)
      throws BusUnavailableException, InterruptedException {
    return join(name, address, timing, timedWait, PLAN);
  }

  /** As above, with its part of such a heap. */
  ConversationBus join(
      String name,
      RedisAddress address,
      ConnectionTimeouts timing,
      TimedWait timedWait,
      HeapPlan plan)
      throws BusUnavailableException, InterruptedException {
    InstantSource time = InstantSource.system();
    ConversationBus bus =
        new ConversationBus(
            new Participant(name, name + "-instance", "test", time.instant()),
            new RedisLink(name, address, timing, plan, timedWait, time),
            time,
            ENVELOPE_LIMIT,
            meters,
            Json::object);
    open.add(bus.open());
    return bus;
  }

  /** The address of this Redis by {@code url}, with its password. */
  RedisAddress address(String url) throws BusUnavailableException {
    return RedisAddress.of(
        url, Optional.of(redis.password()), Optional.empty(), CALM.connectWithin());
  }

  double counted(String meter) {
    return meters.get(meter).counter().count();
  }

  static ObjectNode numbered(int n) {
    return Json.object().put("n", n);
  }

  @Override
  public void close() {
    open.forEach(ConversationBus::close);
    redis.close();
  }
}
