package joshua.network.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;
import joshua.network.Authenticator;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that never finish what they begin, and more of them than there may be. */
@Timeout(60)
class ConnectionRegistryTest {
  /** 12 of them of one address; 4 unfinished ones, 2 of an address, four times as many at first. */
  private static final int CONNECTIONS = 16;

  private static final String WHOLE = "GET /healthz HTTP/1.1\nHost: 127.0.0.1\n\n";
  private static final String HALF = "GET /healthz HTTP/1.1\nHost: loc";

  private final AtomicLong nanos = new AtomicLong();
  private final List<RawClient> clients = new ArrayList<>();
  private McpFixture fixture;

  @BeforeEach
  void start() throws Exception {
    fixture =
        new McpFixture(
            Authenticator.open(),
            1_000,
            nanos::get,
            McpFixture.PASSING,
            ConnectionRegistryTest::pauseUnlessProbing,
            CONNECTIONS);
  }

  /** The server's own connections would be counted, too. */
  private static void pauseUnlessProbing(Duration duration) throws InterruptedException {
    if (duration.equals(ListenerProbe.EVERY)) {
      new CountDownLatch(1).await();
    }
    TimedWait.system().pause(duration);
  }

  @AfterEach
  void stop() throws Exception {
    for (RawClient client : clients) {
      client.close();
    }
    fixture.close();
  }

  private RawClient client() throws IOException {
    RawClient client = new RawClient(fixture.port());
    clients.add(client);
    return client;
  }

  /** One of another address of this machine. */
  private RawClient client(int address) throws IOException {
    RawClient client =
        new RawClient(
            fixture.port(), InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) address}));
    clients.add(client);
    return client;
  }

  private RawClient half() throws IOException {
    RawClient client = client();
    client.say(HALF);
    return client;
  }

  private RawClient idle() throws IOException {
    RawClient client = client();
    String head = client.request(WHOLE);
    assertThat(head).startsWith("HTTP/1.1 200 ");
    client.body(head);
    return client;
  }

  private double gauge(String name) {
    return fixture.meters.get("joshua.connections." + name).gauge().value();
  }

  private double ended(String reason) {
    return fixture.meters.get("joshua.connections.ended").tag("reason", reason).counter().count();
  }

  private void awaitGauge(String name, int value) {
    await().untilAsserted(() -> assertThat(gauge(name)).isEqualTo(value));
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private static void assertEnds(RawClient client, int status, String code) throws IOException {
    String head = client.header();
    assertThat(head).startsWith("HTTP/1.1 " + status + " ").contains("Connection: close");
    assertThat(parsed(client.body(head))).isEqualTo(code);
    assertThat(client.read()).isNegative();
  }

  private static String parsed(String body) {
    return Json.object(body).path("code").asText();
  }

  @Test
  @TriesLimit("http.head-time")
  void aHeadHasItsTimeFromTheConnectionOn() throws Exception {
    RawClient silent = client();
    RawClient half = half();
    awaitGauge("unfinished", 2);
    pass(ConnectionLimits.HEAD.minusSeconds(1));
    RawClient idle = idle();
    pass(Duration.ofSeconds(1));
    assertEnds(silent, 408, "invalid_input");
    assertEnds(half, 408, "invalid_input");
    await().until(() -> ended("late_head") == 2);
    awaitGauge("open", 1);
    assertThat(idle.request(WHOLE)).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void theNextHeadHasItsTimeFromItsFirstByteOn() throws Exception {
    RawClient idle = idle();
    RawClient half = idle();
    awaitGauge("idle", 2);
    pass(ConnectionLimits.HEAD);
    half.say(HALF);
    awaitGauge("unfinished", 1);
    pass(ConnectionLimits.HEAD);
    assertEnds(half, 408, "invalid_input");
    assertThat(idle.request(WHOLE)).startsWith("HTTP/1.1 200 ");
  }

  @Test
  @TriesLimit("http.connections-of-an-address")
  void theOneThatIsIdleForLongestMakesRoom() throws Exception {
    for (int i = 0; i < 12; i++) {
      idle();
      awaitGauge("idle", i + 1);
    }
    RawClient first = clients.getFirst();
    RawClient second = clients.get(1);
    String head = first.request(WHOLE);
    first.body(head);
    awaitGauge("idle", 12);

    RawClient newest = idle();

    assertThat(second.read()).isNegative();
    assertThat(ended("idle")).isEqualTo(1);
    assertThat(first.request(WHOLE)).startsWith("HTTP/1.1 200 ");
    assertThat(newest.request(WHOLE)).startsWith("HTTP/1.1 200 ");
  }

  @Test
  @TriesLimit("http.connections")
  void oneMoreThanAllMayHaveTakesThePlaceOfTheIdleOne() throws Exception {
    RawClient first = idle();
    awaitGauge("idle", 1);
    for (int i = 1; i < CONNECTIONS; i++) {
      RawClient another = client(2 + i % 3);
      another.body(another.request(WHOLE));
    }
    awaitGauge("idle", CONNECTIONS);

    RawClient newest = client(5);

    assertThat(newest.request(WHOLE)).startsWith("HTTP/1.1 200 ");
    assertThat(first.read()).isNegative();
    assertThat(ended("idle")).isEqualTo(1);
    awaitGauge("open", CONNECTIONS);
  }

  @Test
  @TriesLimit("http.unfinished")
  void oneMoreThanAllMayHaveUnfinishedEndsTheOldest() throws Exception {
    for (int i = 0; i < 5; i++) {
      client(2 + i).say(HALF);
      awaitGauge("unfinished", i + 1);
    }
    pass(ConnectionLimits.BURST);
    assertEnds(clients.getFirst(), 408, "invalid_input");
    awaitGauge("unfinished", 4);
    assertThat(ended("unfinished")).isEqualTo(1);
  }

  @Test
  void oneTooManyIsRefusedWhereNobodyIsIdle() throws Exception {
    List<CollectingWsClient> sockets = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      sockets.add(CollectingWsClient.open(fixture.port(), "/ws"));
    }
    // All are in use; those that became WebSockets are neither idle nor unfinished.
    String refused = client().upgrade("/ws", "");
    assertThat(refused).startsWith("HTTP/1.1 503 ");
    // Until its request is counted as served it's in use, and the thirteenth would be refused for
    // it.
    awaitGauge("idle", 1);
    half();
    half();
    awaitGauge("unfinished", 2);
    assertThat(gauge("idle")).isZero();

    assertEnds(client(), 503, "overloaded");

    assertThat(ended("refused")).isEqualTo(1);
    sockets.forEach(CollectingWsClient::close);
    awaitGauge("open", 2);
    idle();
  }

  @Test
  void fewMayBeUnfinishedForLong() throws Exception {
    for (int i = 0; i < 8; i++) {
      half();
      awaitGauge("unfinished", i + 1);
    }
    half();
    assertEnds(clients.getFirst(), 408, "invalid_input");
    awaitGauge("unfinished", 8);
    assertThat(ended("unfinished")).isEqualTo(1);

    pass(ConnectionLimits.BURST);

    awaitGauge("unfinished", 2);
    assertEnds(clients.get(1), 408, "invalid_input");
    clients.getLast().say("alhost\n\n");
    assertThat(clients.getLast().header()).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void aBodyHasItsTime() throws Exception {
    RawClient slow = client();
    slow.beginPost(McpFixture.modern(1, "tools/call", McpFixture.call("whoami", "x")));
    await().until(() -> fixture.meters.get("joshua.mcp.bytes").gauge().value() > 0);
    pass(TransferBudget.PATIENCE.plusSeconds(1));
    String head = slow.header();
    assertThat(head).startsWith("HTTP/1.1 408 ");
    assertThat(slow.body(head)).contains("too slowly");
    await().until(() -> fixture.meters.get("joshua.mcp.bytes").gauge().value() == 0);
  }

  @Test
  void anAnswerThatIsNotReadHasItsTime() throws Exception {
    RawClient deaf = client();
    deaf.post(McpFixture.modern(1, "tools/call", McpFixture.call("repeat", "8000000")), "repeat");
    await().until(() -> fixture.meters.get("joshua.mcp.bytes").gauge().value() > 8_000_000);
    pass(TransferBudget.PATIENCE.plusSeconds(8_000_000 / TransferBudget.BYTES_A_SECOND));
    await().until(() -> fixture.meters.get("joshua.mcp.bytes").gauge().value() == 0);
    awaitGauge("open", 0);
  }

  @Test
  void pagesThatAreNotReadHaveTheirTime() throws Exception {
    for (int i = 0; i < 3_000; i++) {
      fixture.meters.counter("test.counter", "number", String.valueOf(i));
    }
    RawClient deaf = client();
    deaf.say("GET /metrics HTTP/1.1\nHost: 127.0.0.1\n\n".repeat(100));
    await().until(() -> gauge("open") == 1 && gauge("idle") + gauge("unfinished") == 0);
    // Some of the answers fit into the sockets' buffers: it is a later one that isn't taken.
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> {
          pass(ConnectionLimits.PAGE);
          return ended("late_page") == 1;
        });
    awaitGauge("open", 0);
  }
}
