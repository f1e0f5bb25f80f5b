package joshua.integration;

import static joshua.integration.McpClient.body;
import static joshua.integration.McpClient.call;
import static joshua.integration.McpClient.notification;
import static joshua.network.Tool.Audience.MODEL;
import static joshua.network.ToolHints.READS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.network.Authenticator;
import joshua.network.Catalog;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.network.http.MessageBudget;
import joshua.network.http.ToolServer;
import joshua.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that send much and read little harm no other client (statement 16). */
class HostileClientsTest {
  private static final int BUDGET = 256 * 1024;
  private static final String LARGE = "x".repeat(200_000);

  private final BlockingQueue<CompletableFuture<ToolResult>> waiting = new LinkedBlockingQueue<>();
  private ToolServer server;
  private McpClient client;

  public record Input(String text) {}

  public record Output(String status, String text) {}

  private CompletableFuture<ToolResult> hold(Input input, ToolCall call) {
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    waiting.add(result);
    return result;
  }

  private void start(int rateLimit, Duration window) throws IOException {
    start(rateLimit, window, Authenticator.OPEN);
  }

  private void start(int rateLimit, Duration window, Authenticator authenticator)
      throws IOException {
    Tool<Input> hold =
        new Tool<>(
            "hold", "Hold", "", Input.class, Output.class, MODEL, Role.VIEWER, READS, this::hold);
    MessageBudget budget = new MessageBudget(BUDGET, Duration.ofMillis(50), window);
    PrometheusRegistry metrics = new PrometheusRegistry();
    ToolRegistry tools = new ToolRegistry(List.of(hold), InstantSource.system(), metrics);
    server =
        ToolServer.start(
            new Catalog("test", "Test", "1", "Holds.", tools),
            List.of(),
            () -> {},
            metrics,
            TestGroup.serving(rateLimit, authenticator, budget));
    client = new McpClient(server.port());
  }

  private void start() throws IOException {
    start(10_000_000, Duration.ofHours(1));
  }

  @AfterEach
  void stop() {
    waiting.forEach(result -> result.complete(new ToolResult.Success(new Output("success", ""))));
    server.close();
  }

  private static ObjectNode holding(String text) {
    return call("hold", Json.object().put("text", text));
  }

  /** Lets the call that is held for longest go. */
  private void letGo() throws InterruptedException {
    CompletableFuture<ToolResult> held = waiting.poll(60, TimeUnit.SECONDS);
    assertThat(held).isNotNull();
    held.complete(new ToolResult.Success(new Output("success", "")));
  }

  private HttpResponse<String> ping(String filler) throws Exception {
    return client.post(McpClient.request("ping", Json.object().put("filler", filler)));
  }

  private Socket raw(String head, String part) throws IOException {
    Socket socket = new Socket("127.0.0.1", server.port());
    write(socket, RequestHeadTest.POST + head + "\r\n\r\n" + part);
    return socket;
  }

  private static void write(Socket socket, String text) {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String statusOf(Socket socket) throws IOException {
    socket.setSoTimeout(50_000); // less than Jetty's own patience
    return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
  }

  // --- WebSockets ---------------------------------------------------------------------------

  @Test
  void whoSendsPingsAndReadsNothingIsReadNoFurther() throws Exception {
    start();
    byte[] ping = new byte[6 + 125];
    ping[0] = (byte) 0x89;
    ping[1] = (byte) (0x80 | 125);
    ByteBuffer pings = ByteBuffer.allocate(500 * ping.length);
    while (pings.hasRemaining()) {
      pings.put(ping);
    }
    try (SocketChannel socket = upgraded()) {
      long whole = sendUntilNothingIsTaken(socket, pings) / ping.length;
      DataInputStream answers = new DataInputStream(socket.socket().getInputStream());
      while (whole > 0) {
        int head = answers.readUnsignedShort();
        answers.skipNBytes(head & 0x7F);
        if (head >> 8 != 0x89) { // the server's own ping, if this takes long
          assertThat(head).isEqualTo(0x8A00 | 125);
          whole--;
        }
      }
    }
  }

  private static long sendUntilNothingIsTaken(SocketChannel socket, ByteBuffer block)
      throws IOException {
    long sent = 0;
    socket.configureBlocking(false);
    try (Selector writable = Selector.open()) {
      var _ = socket.register(writable, SelectionKey.OP_WRITE);
      while (writable.select(2_000) > 0) {
        block.rewind();
        sent += socket.write(block);
        writable.selectedKeys().clear();
        assertThat(sent).as("bytes taken while nothing is read").isLessThan(64L << 20);
      }
    }
    socket.configureBlocking(true);
    return sent;
  }

  private SocketChannel upgraded() throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.connect(new InetSocketAddress("127.0.0.1", server.port()));
    var _ = RequestHeadTest.response(channel.socket(), "GET /ws", RequestHeadTest.UPGRADE);
    return channel;
  }

  @Test
  void pingsAndPartsCountAsCalls() throws Exception {
    start(0, Duration.ofHours(1));
    try (FrameClient socket = new FrameClient(server.port())) {
      socket.ping("1"); // a single one: what is sent behind a close may reset the connection
      assertThat(socket.closeCode()).isEqualTo(1008);
    }
    try (FrameClient socket = new FrameClient(server.port())) {
      socket.sendPart("{");
      assertThat(socket.closeCode()).isEqualTo(1008);
    }
  }

  @Test
  void messagesWithoutAnAnswerCountAsCalls() throws Exception {
    start(0, Duration.ofHours(1));
    try (FrameClient socket = FrameClient.ofMcp(server.port(), "mcp")) {
      socket.send(notification("notifications/x", Json.object()).toString());
      assertThat(socket.closeCode()).isEqualTo(1013);
    }
    try (FrameClient socket = FrameClient.ofMcp(server.port(), "mcp")) {
      for (int i = 0; i < 100; i++) {
        socket.send("{");
      }
      Await.until(
          "broken texts are refused as too many",
          () -> socket.next().toString().contains("rate_limited"));
    }
  }

  @Test
  void textsOfCallsUnderWayShareTheBudget() throws Exception {
    start();
    try (FrameClient holder = new FrameClient(server.port());
        FrameClient other = new FrameClient(server.port())) {
      holder.begin("hold", FrameClient.input("text", LARGE));
      Await.until("the text is held", () -> !waiting.isEmpty());
      other.begin("no_such_tool", FrameClient.input("text", "small"));
      assertThat(other.next().path("code").asText()).isEqualTo("unknown_tool");
      other.begin("no_such_tool", FrameClient.input("text", LARGE));
      assertThat(other.closeCode()).isEqualTo(1013);
      letGo();
      assertThat(holder.next().path("status").asText()).isEqualTo("success");
      holder.begin("no_such_tool", FrameClient.input("text", LARGE));
      assertThat(holder.next().path("code").asText()).isEqualTo("unknown_tool");
    }
  }

  @Test
  void unfinishedTextsShareTheBudgetUntilTheirSocketGoes() throws Exception {
    start();
    try (FrameClient holder = new FrameClient(server.port())) {
      holder.sendPart(LARGE);
      holder.ping("1");
      assertThat(holder.next().asInt()).isEqualTo(1);
      Await.until("a large body is refused", () -> ping(LARGE).statusCode() == 503);
      holder.abort();
      Await.until("the text is forgotten", () -> ping(LARGE).statusCode() == 200);
    }
  }

  @Test
  void aTextThatStandsStillIsEnded() throws Exception {
    start(10_000_000, Duration.ofMillis(100));
    try (FrameClient holder = new FrameClient(server.port())) {
      holder.sendPart(LARGE);
      assertThat(holder.closeCode()).isEqualTo(1013);
    }
  }

  // --- HTTP ---------------------------------------------------------------------------------

  @Test
  void largeBodiesThatAreReadShareTheBudgetAndSmallOnesAreFreeOfIt() throws Exception {
    start();
    String whole = McpClient.request("ping", Json.object().put("filler", LARGE)).toString();
    int half = 100_000;
    try (Socket holder = raw("Content-Length: " + whole.length(), whole.substring(0, half))) {
      Await.until("a large body is refused", () -> ping(LARGE).statusCode() == 503);
      HttpResponse<String> refused = ping(LARGE);
      assertThat(refused.headers().firstValue("Retry-After")).contains("5");
      assertThat(Json.parse(refused.body()).path("code").asText()).isEqualTo("overloaded");
      assertThat(ping("small").statusCode()).isEqualTo(200);
      write(holder, whole.substring(half));
      assertThat(statusOf(holder)).isEqualTo("HTTP/1.1 200");
    }
    Await.until("the body is forgotten", () -> ping(LARGE).statusCode() == 200);
  }

  @Test
  void aBodyIsHeldUntilItsCallIsAnswered() throws Exception {
    start();
    FutureTask<?> caller = new FutureTask<>(() -> client.post(holding(LARGE)));
    Thread.startVirtualThread(caller);
    Await.until("the call is under way", () -> !waiting.isEmpty());
    assertThat(ping(LARGE).statusCode()).isEqualTo(503);
    letGo();
    caller.get();
    Await.until("the body is forgotten", () -> ping(LARGE).statusCode() == 200);
  }

  @Test
  void answersShareTheBudgetAndAreRefusedBeyondIt() throws Exception {
    start();
    Thread.startVirtualThread(() -> {
      Await.until("the call is under way", () -> !waiting.isEmpty());
      waiting.remove().complete(new ToolResult.Success(new Output("success", "x".repeat(BUDGET))));
    });
    assertThat(client.post(holding("small")).body()).contains("overloaded");
  }

  @Test
  void aSmallBodyOfManyValuesWeighsWhatItsTreeDoes() throws Exception {
    start();
    String objects = "[" + "{},".repeat(10_000) + "{}]";
    String text = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"x\":%s}}";
    assertThat(client.send(client.builder().POST(body(text.formatted(objects))).build()))
        .returns(503, HttpResponse::statusCode);
  }

  @Test
  void aBodyThatStandsStillIsEnded() throws Exception {
    start(10_000_000, Duration.ofMillis(300));
    try (Socket holder = raw("Content-Length: 300000", LARGE.substring(0, 100_000))) {
      awaitEnd(holder);
    }
  }

  @Test
  void aBodyThatOnlyTricklesIsEnded() throws Exception {
    start(10_000_000, Duration.ofMillis(300));
    try (Socket holder = raw("Content-Length: 4000000", "");
        ScheduledExecutorService tap = Executors.newSingleThreadScheduledExecutor()) {
      var _ = tap.scheduleAtFixedRate(() -> write(holder, " "), 0, 20, TimeUnit.MILLISECONDS);
      awaitEnd(holder);
      tap.shutdownNow();
    }
  }

  /** A machine that stands still itself may close the connection before it has answered. */
  private static void awaitEnd(Socket holder) throws IOException {
    try {
      assertThat(statusOf(holder)).isIn("HTTP/1.1 408", "");
    } catch (SocketException e) {
      assertThat(e).hasMessageContaining("reset");
    }
  }

  @Test
  void chunksThatAreNoneAreTheClientsFault() throws Exception {
    start();
    try (Socket socket = raw("Transfer-Encoding: chunked", "zz\r\n{}\r\n0\r\n\r\n")) {
      assertThat(statusOf(socket)).isEqualTo("HTTP/1.1 400");
    }
    String ping = McpClient.request("ping", Json.object().put("filler", LARGE)).toString();
    String half = ping.substring(0, 0x10000);
    String rest = ping.substring(0x10000);
    String chunks = "%x\r\n%s\r\n".repeat(2) + "0\r\n\r\n";
    chunks = chunks.formatted(half.length(), half, rest.length(), rest);
    try (Socket socket = raw("Transfer-Encoding: chunked", chunks)) {
      assertThat(statusOf(socket)).isEqualTo("HTTP/1.1 200");
    }
  }

  @Test
  void whoMayNotCallIsRefusedBeforeTheBodyIsRead() throws Exception {
    start(10_000_000, Duration.ofHours(1), authorization -> Optional.empty());
    try (Socket socket = raw("Content-Length: 4000000", "")) {
      assertThat(statusOf(socket)).isEqualTo("HTTP/1.1 401");
    }
  }
}
