package joshua.integration;

import com.fasterxml.jackson.databind.JsonNode;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import joshua.conversation.BusConnection;
import joshua.conversation.Participant;
import joshua.conversation.Timing;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisTransport;
import joshua.grace.Grace;
import joshua.grace.queue.ClientQueues;
import joshua.kernel.ServiceLifecycle;
import joshua.network.Authenticator;
import joshua.network.http.ToolServer;
import joshua.service.ServiceContext;
import joshua.testing.RedisServer;

/** The services of a group in this process, on a Redis, with their ports open. */
final class TestGroup implements AutoCloseable {
  static final ClientQueues.Limits LIMITS =
      new ClientQueues.Limits(100, 10_000, 256L * 1024 * 1024);

  private final ServiceLifecycle parts = new ServiceLifecycle();
  private final List<FrameClient> clients = new ArrayList<>();
  private final ToolServer graceServer;

  TestGroup(RedisServer redis) {
    this(redis.url(), redis.password(), Timing.CONTRACT, LIMITS);
  }

  TestGroup(RedisServer redis, Authenticator authenticator) {
    this(redis.url(), redis.password(), Timing.CONTRACT, LIMITS, authenticator);
  }

  TestGroup(String url, String password, Timing timing, ClientQueues.Limits limits) {
    this(url, password, timing, limits, Authenticator.OPEN);
  }

  private TestGroup(
      String url,
      String password,
      Timing timing,
      ClientQueues.Limits limits,
      Authenticator authenticator) {
    InstantSource time = InstantSource.system();
    try {
      RedisAddress address = RedisAddress.of(url, Optional.of(password));
      BusConnection connection =
          parts.add(
              "bus", new BusConnection(RedisTransport.to(address, "group", timing, time), timing));
      Participant self =
          new Participant("grace", UUID.randomUUID().toString(), "test", time.instant());
      PrometheusRegistry metrics = new PrometheusRegistry();
      Grace grace =
          parts.add(
              "grace",
              new Grace(
                  new ServiceContext(connection, self, time, metrics), limits, Set.of("auditor")));
      graceServer =
          parts.add(
              "server",
              ToolServer.start(
                  grace.catalog(),
                  grace.readiness(),
                  metrics,
                  new ToolServer.Config(
                      "127.0.0.1",
                      0,
                      "none",
                      4 * 1024 * 1024,
                      10_000,
                      List.of(),
                      List.of("localhost"),
                      authenticator)));
    } catch (Exception e) {
      parts.close();
      throw new AssertionError("the group can't start", e);
    }
  }

  int gracePort() {
    return graceServer.port();
  }

  /** A new connection to Grace, which is closed with the group. */
  FrameClient client() {
    FrameClient client = new FrameClient(gracePort());
    clients.add(client);
    return client;
  }

  /** Calls one of Grace's tools over a connection of its own. */
  JsonNode call(String tool, Object... members) {
    try (FrameClient client = new FrameClient(gracePort())) {
      return client.call(tool, FrameClient.input(members));
    }
  }

  @Override
  public void close() {
    clients.forEach(FrameClient::close);
    parts.close();
  }
}
