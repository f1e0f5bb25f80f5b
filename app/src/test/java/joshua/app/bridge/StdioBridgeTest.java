package joshua.app.bridge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import joshua.network.RemoteService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How the bridge ends, and what it says of calls then. */
class StdioBridgeTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
  private static final String PONG = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";

  private static final String POLL =
      "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":"
          + "{\"name\":\"grace_poll_messages\",\"arguments\":{\"wait_ms\":60000}}}\n";

  private final CountDownLatch said = new CountDownLatch(1);
  private final ByteArrayOutputStream out =
      new ByteArrayOutputStream() {
        @Override
        public void flush() {
          said.countDown();
        }
      };

  private final CountDownLatch mayAnswer = new CountDownLatch(1);
  private final CountDownLatch asked = new CountDownLatch(1);
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  @AfterEach
  void end() {
    mayAnswer.countDown();
    server.stop(0);
  }

  private Thread bridge(InputStream in, OutputStream out, BooleanSupplier orphaned) {
    URI address = URI.create("http://127.0.0.1:%d/".formatted(server.getAddress().getPort()));
    RemoteService remote = new RemoteService("grace", () -> Optional.of(address), Optional.empty());
    return Thread.startVirtualThread(
        new FutureTask<>(() -> {
          new StdioBridge(remote, out, orphaned).run(in);
          return null;
        }));
  }

  private Thread bridge(String input) {
    return bridge(new ByteArrayInputStream(input.getBytes(UTF_8)), out, () -> false);
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    exchange.sendResponseHeaders(status, body.length());
    exchange.getResponseBody().write(body.getBytes(UTF_8));
    exchange.close();
  }

  /** Has each request wait until it may be answered. */
  private void answerLater() {
    server.createContext(
        "/",
        exchange -> {
          asked.countDown();
          try {
            mayAnswer.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          answer(exchange, 200, PONG);
        });
  }

  @Test
  void aCallUnderWayIsAnsweredAfterTheEndOfInputAndAWaitingPollIsEnded() throws Exception {
    answerLater();
    Thread bridge = bridge("\uFEFF" + PING + POLL);
    assertThat(bridge.join(Duration.ofSeconds(2))).as("it ends without the answer").isFalse();
    mayAnswer.countDown();
    assertThat(bridge.join(LIMIT)).isTrue();
    assertThat(out.toString(UTF_8).lines())
        .hasSize(2)
        .contains(PONG)
        .anyMatch(line -> line.contains("\"id\":2") && line.contains("The bridge ended before"));
  }

  @Test
  void anOutputThatNobodyReadsEndsItAtOnce() throws Exception {
    server.createContext("/", exchange -> answer(exchange, 200, PONG));
    try (PipedOutputStream client = new PipedOutputStream()) {
      PipedInputStream in = new PipedInputStream(client);
      OutputStream broken =
          new OutputStream() {
            @Override
            public void write(int each) throws IOException {
              throw new IOException("Broken pipe");
            }
          };
      Thread bridge = bridge(in, broken, () -> false);
      client.write(PING.getBytes(UTF_8));
      client.flush();
      assertThat(bridge.join(LIMIT)).isTrue();
    }
  }

  @Test
  void oneWhoseParentHasEndedEndsWhenNothingIsUnderWay() throws Exception {
    answerLater();
    AtomicBoolean orphaned = new AtomicBoolean();
    try (PipedOutputStream client = new PipedOutputStream()) {
      Thread bridge = bridge(new PipedInputStream(client), out, orphaned::get);
      client.write(PING.getBytes(UTF_8));
      client.flush();
      assertThat(asked.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      orphaned.set(true);
      mayAnswer.countDown();
      assertThat(bridge.join(LIMIT)).isTrue();
      assertThat(out.toString(UTF_8)).isEqualTo(PONG + "\n");
    }
  }

  @Test
  void aServiceThatStopsIsAwaited() throws Exception {
    AtomicInteger requests = new AtomicInteger();
    server.createContext(
        "/",
        exchange -> {
          if (requests.incrementAndGet() == 1) {
            exchange.getResponseHeaders().add("Retry-After", "2");
            answer(exchange, 503, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}");
          } else {
            answer(exchange, 200, PONG);
          }
        });
    try (PipedOutputStream client = new PipedOutputStream()) {
      bridge(new PipedInputStream(client), out, () -> false);
      client.write(PING.getBytes(UTF_8));
      client.flush();
      assertThat(said.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(out.toString(UTF_8)).isEqualTo(PONG + "\n");
    }
  }

  @Test
  void aRefusalKeepsItsCode() throws Exception {
    String tooLarge =
        "{\"status\":\"error\",\"code\":\"too_large\",\"message\":\"At most 9 bytes.\"}";
    server.createContext("/", exchange -> answer(exchange, 413, tooLarge));
    assertThat(bridge(POLL.replace("60000", "0")).join(LIMIT)).isTrue();
    assertThat(out.toString(UTF_8))
        .contains("\"too_large: grace at ", "At most 9 bytes.", "\"not_sent\"");
  }
}
