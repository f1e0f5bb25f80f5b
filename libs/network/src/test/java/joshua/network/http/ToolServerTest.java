package joshua.network.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import joshua.kernel.TimedWait;
import joshua.network.Authenticator;
import joshua.network.ReadinessCheck;
import joshua.network.TokenFile;
import joshua.network.ToolRegistry;
import joshua.network.mcp.McpService;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class ToolServerTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final int FRAME_LIMIT = 64 * 1024;

  private final CountDownLatch latch = new CountDownLatch(1);
  private final AtomicReference<Optional<String>> busProblem =
      new AtomicReference<>(Optional.empty());
  private final PrometheusMeterRegistry meters =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  @TempDir private Path directory;
  private ToolServer server;

  private ToolServer start(Authenticator authenticator) throws Exception {
    ToolRegistry tools =
        new ToolRegistry(
            List.of(ToolsForTests.big(), ToolsForTests.waiting(latch)),
            meters,
            InstantSource.system());
    server =
        ToolServer.start(
            config(0),
            new ToolServer.Parts(
                service(tools),
                List.of(new Bus()),
                authenticator,
                meters,
                InstantSource.system(),
                System::nanoTime,
                Thread::sleep));
    return server;
  }

  private static McpService service(ToolRegistry tools) {
    return McpService.ofTools("test", "Test", "1", "Tools of a test.", tools);
  }

  private static ToolServerConfig config(int port) {
    List<String> loopback = List.of("127.0.0.1", "localhost");
    return new ToolServerConfig(
        "127.0.0.1",
        port,
        "JOSHUA_TEST_PORT",
        loopback,
        loopback,
        FRAME_LIMIT,
        10_000,
        Optional.empty());
  }

  @AfterEach
  void stop() {
    latch.countDown();
    if (server != null) {
      server.close();
    }
  }

  private final class Bus implements ReadinessCheck {
    @Override
    public String name() {
      return "bus";
    }

    @Override
    public Optional<String> problem() {
      return busProblem.get();
    }
  }

  private static String frame(String tool, int size) {
    return "{\"tool_name\":\"%s\",\"tool_input\":{\"size\":%d}}".formatted(tool, size);
  }

  private HttpResponse<String> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void framesAreAnsweredOverARealSocket() throws Exception {
    start(Authenticator.open());
    try (CollectingWsClient client = CollectingWsClient.open(server.port(), "/ws")) {
      client.send(frame("big", 3));
      assertThat(client.next().path("text").asText()).isEqualTo("xxx");
      client.send(frame("big", 100_000));
      assertThat(client.next().path("text").asText()).hasSize(100_000);
    }
  }

  @Test
  @TriesLimit("http.frame")
  void aFrameBeyondTheLimitClosesWith1009AndABinaryOneWith1003() throws Exception {
    start(Authenticator.open());
    try (CollectingWsClient client = CollectingWsClient.open(server.port(), "/ws")) {
      client.send("x".repeat(FRAME_LIMIT + 1));
      assertThat(client.closeCode()).isEqualTo(1009);
    }
    try (CollectingWsClient client = CollectingWsClient.open(server.port(), "/ws")) {
      client.sendBinary(new byte[] {1});
      assertThat(client.closeCode()).isEqualTo(1003);
    }
    await().until(() -> meters.get("joshua.sockets.open").gauge().value() == 0);
  }

  @Test
  void whoNeverReadsIsCutOffWhileOthersGoOn() throws Exception {
    start(Authenticator.open());
    try (RawClient deaf = new RawClient(server.port());
        CollectingWsClient other = CollectingWsClient.open(server.port(), "/ws")) {
      assertThat(deaf.upgrade("/ws", "")).startsWith("HTTP/1.1 101");
      for (int i = 0; i < 20; i++) {
        deaf.sendText(frame("big", 1_000_000));
        other.send(frame("big", 10));
        assertThat(other.next().path("text").asText()).hasSize(10);
      }
      for (int i = 0; i < 20; i++) {
        deaf.sendText(frame("big", 1_000_000));
      }
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> meters.get("joshua.sockets.open").gauge().value() == 1);
      other.send(frame("big", 10));
      assertThat(other.next().path("text").asText()).hasSize(10);
    }
  }

  @Test
  void hostAndOriginAreCheckedBeforeAnythingElse() throws Exception {
    start(Authenticator.open());
    try (RawClient raw = new RawClient(server.port())) {
      assertThat(raw.request("GET /metrics HTTP/1.1\nHost: evil.example\n\n"))
          .startsWith("HTTP/1.1 403");
    }
    try (RawClient raw = new RawClient(server.port())) {
      assertThat(raw.upgrade("/ws", "Origin: http://evil.example\n")).startsWith("HTTP/1.1 403");
    }
    try (RawClient raw = new RawClient(server.port())) {
      assertThat(raw.upgrade("/ws", "Origin: null\n")).startsWith("HTTP/1.1 403");
    }
    try (RawClient raw = new RawClient(server.port())) {
      assertThat(raw.upgrade("/ws", "Origin: http://localhost:5173\n")).startsWith("HTTP/1.1 101");
    }
    try (RawClient raw = new RawClient(server.port())) {
      assertThat(raw.upgrade("/nowhere", "")).startsWith("HTTP/1.1 404");
    }
    assertThat(get("/metrics", "Origin", "http://evil.example").statusCode()).isEqualTo(403);
  }

  @Test
  void aFloodOfForeignHostsIsOneLineInTheLog() throws Exception {
    start(Authenticator.open());
    Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.list = new CopyOnWriteArrayList<>();
    lines.start();
    root.addAppender(lines);
    try {
      for (int i = 0; i < 100; i++) {
        try (RawClient raw = new RawClient(server.port())) {
          assertThat(
                  raw.request("GET /metrics HTTP/1.1\nHost: flood.example:%d\n\n".formatted(i + 1)))
              .startsWith("HTTP/1.1 403");
        }
      }
      assertThat(lines.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .filteredOn(line -> line.contains("flood"))
          .singleElement()
          .asString()
          .contains("1 request is refused", "flood.example:1");
    } finally {
      root.detachAppender(lines);
    }
  }

  @Test
  void withTokensEveryCallNeedsOneAndARevokedOneEndsTheSocket() throws Exception {
    Path file = directory.resolve("tokens");
    Files.writeString(file, hash("t0k") + " alice operator\n");
    start(TokenFile.open(file, System::nanoTime));
    assertThat(get("/metrics").statusCode()).isEqualTo(401);
    assertThat(get("/metrics").headers().firstValue("WWW-Authenticate")).contains("Bearer");
    assertThat(get("/healthz").statusCode()).isEqualTo(200);
    assertThat(get("/readyz").statusCode()).isEqualTo(200);
    assertThat(get("/metrics", "Authorization", "Bearer t0k").statusCode()).isEqualTo(200);
    try (RawClient raw = new RawClient(server.port())) {
      assertThat(raw.upgrade("/ws", "")).startsWith("HTTP/1.1 401");
    }
    try (CollectingWsClient client =
        CollectingWsClient.open(server.port(), "/ws", "Authorization", "Bearer t0k")) {
      latch.countDown();
      client.send(frame("wait", 0));
      assertThat(client.next().path("identity").asText()).isEqualTo("alice");
      Files.writeString(file, "# nobody\n");
      await().until(() -> get("/metrics", "Authorization", "Bearer t0k").statusCode() == 401);
      assertThat(client.closeCode()).isEqualTo(1008);
    }
  }

  private static String hash(String token) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes("UTF-8")));
  }

  @Test
  void readyzSaysWhatIsNotUsable() throws Exception {
    start(Authenticator.open());
    assertThat(get("/readyz").statusCode()).isEqualTo(200);
    busProblem.set(Optional.of("Redis at 127.0.0.1:6379 does not answer."));
    HttpResponse<String> answer = get("/readyz");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body())
        .isEqualTo(
            "{\"status\":\"not ready\",\"problems\":[{\"name\":\"bus\",\"problem\":\"Redis at 127.0.0.1:6379 does not answer.\"}]}");
    HttpResponse<String> alive = get("/healthz");
    assertThat(alive.statusCode()).isEqualTo(200);
    assertThat(alive.body()).isEqualTo("{\"status\":\"alive\",\"mad\":\"test\",\"version\":\"1\"}");
  }

  @Test
  void metricsTellCallsByToolAndOutcome() throws Exception {
    start(Authenticator.open());
    try (CollectingWsClient client = CollectingWsClient.open(server.port(), "/ws")) {
      client.send(frame("big", 1));
      client.next();
      String page = get("/metrics").body();
      assertThat(page)
          .contains("joshua_tool_calls_seconds_count{outcome=\"success\",tool=\"big\"} 1")
          .contains("joshua_sockets_open 1");
    }
  }

  @Test
  void aTakenPortIsNamedWithTheSettingToChange() throws Exception {
    start(Authenticator.open());
    int port = server.port();
    assertThatThrownBy(() ->
            ToolServer.start(
                config(port),
                new ToolServer.Parts(
                    service(new ToolRegistry(List.of(), meters, InstantSource.system())),
                    List.of(),
                    Authenticator.open(),
                    meters,
                    InstantSource.system(),
                    System::nanoTime,
                    Thread::sleep)))
        .isInstanceOf(CannotListenException.class)
        .hasMessage(
            "Cannot listen on 127.0.0.1:%d (Address already in use). Stop what uses that port, or set JOSHUA_TEST_PORT to another."
                .formatted(port));
  }

  @Test
  void aStopSendsTheAnswersUnderWayThenCloses() throws Exception {
    start(Authenticator.open());
    try (CollectingWsClient client = CollectingWsClient.open(server.port(), "/ws")) {
      client.send(frame("wait", 0));
      client.send("{\"tool_name\":\"big\",\"tool_input\":{\"size\":1},\"request_id\":1}");
      client.next();
      long began = System.nanoTime();
      Thread stopping = Thread.ofVirtual().start(server::close);
      await()
          .until(() -> {
            try (RawClient _ = new RawClient(server.port())) {
              return false;
            } catch (Exception e) {
              return true;
            }
          });
      latch.countDown();
      assertThat(client.next().path("identity").asText()).isEqualTo("nobody");
      assertThat(client.closeCode()).isEqualTo(1001);
      stopping.join();
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(3));
    }
  }

  @Test
  void everySocketIsPingedAndASilentPeerIsCutOff() throws Exception {
    Semaphore pings = new Semaphore(0);
    AtomicLong ahead = new AtomicLong();
    server =
        ToolServer.start(
            config(0),
            new ToolServer.Parts(
                service(new ToolRegistry(List.of(), meters, InstantSource.system())),
                List.of(),
                Authenticator.open(),
                meters,
                InstantSource.system(),
                () -> System.nanoTime() + ahead.get(),
                duration -> {
                  if (duration.equals(ServerSockets.PING_EVERY)) {
                    pings.acquire();
                  } else {
                    TimedWait.system().pause(duration);
                  }
                }));
    try (RawClient silent = new RawClient(server.port())) {
      assertThat(silent.upgrade("/ws", "")).startsWith("HTTP/1.1 101");
      await().until(() -> meters.get("joshua.sockets.open").gauge().value() == 1);
      pings.release();
      assertThat(silent.read()).isEqualTo(0x89);
      assertThat(silent.read()).isEqualTo(0);
      ahead.set(JettyWebSocket.SILENCE.plusSeconds(1).toNanos());
      pings.release();
      assertThat(silent.read()).isEqualTo(-1);
    }
  }

  @Test
  void aPageOfAnAllowedOriginMayAskBeforehandAndReadTheAnswer() throws Exception {
    start(Authenticator.open());
    try (RawClient raw = new RawClient(server.port())) {
      assertThat(
              raw.request(
                  """
                  OPTIONS /mcp HTTP/1.1
                  Host: localhost
                  Origin: http://localhost:6274
                  Access-Control-Request-Method: POST
                  Access-Control-Request-Headers: content-type,mcp-method

                  """))
          .startsWith("HTTP/1.1 204")
          .contains("Access-Control-Allow-Origin: http://localhost:6274\r\n")
          .contains("Access-Control-Allow-Headers: content-type,mcp-method\r\n");
    }
    assertThat(
            get("/metrics", "Origin", "http://localhost:6274")
                .headers()
                .firstValue("Access-Control-Allow-Origin"))
        .contains("http://localhost:6274");
  }

  @Test
  void offLoopbackATokensFileIsNeeded() {
    assertThatThrownBy(() ->
            new ToolServerConfig(
                "0.0.0.0", 0, "JOSHUA_TEST_PORT", List.of(), List.of(), 1024, 1, Optional.empty()))
        .hasMessageContaining("JOSHUA_TOKENS_FILE");
  }
}
