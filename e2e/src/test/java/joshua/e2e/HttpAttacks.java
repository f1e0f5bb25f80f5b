package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.TimedWait;

/** Attacks on {@code /mcp} over HTTP, one connection each. */
final class HttpAttacks {
  private static final int FRAME_LIMIT = 4 << 20;
  private static final String SESSION = "Mcp-Session-Id";
  private static final String HTTP = "HTTP/1.1 ";

  /** A body up to this size is read no matter what is held for others, a larger one perhaps. */
  private static final int ALWAYS_READ = 16 * 1024;

  private static final String NO_ROOM = "503";
  private static final Duration UNTIL_CLOSED = Duration.ofMillis(60);

  /** A request, and the expected answer; code 0: any body is accepted. */
  private record Bad(McpText request, String status, int code) {
    static Bad of(McpText request, String status, int code) {
      return new Bad(request, status, code);
    }
  }

  private final int port;
  private final AtomicInteger cutOff = new AtomicInteger();
  private final AtomicInteger begun = new AtomicInteger();

  HttpAttacks(int port) {
    this.port = port;
  }

  private static final List<Bad> BAD_JSON =
      List.of(
          Bad.of(McpText.saying(""), "400", -32700),
          Bad.of(McpText.saying("garbage"), "400", -32700),
          Bad.of(McpText.saying("{\"jsonrpc\":"), "400", -32700),
          Bad.of(McpText.saying("{\"id\":1,\"id\":2}"), "400", -32700),
          Bad.of(McpText.saying("[]"), "400", -32600),
          Bad.of(McpText.saying("null"), "400", -32600),
          Bad.of(McpText.saying("{}"), "400", -32600),
          Bad.of(McpText.saying("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"x\"}"), "400", -32600),
          Bad.of(McpText.modern(1, "tools/call", "'name':5"), "400", -32602),
          Bad.of(McpText.modernCall(1, "rm", "{}"), "200", -32602));

  private static final McpText LIST = McpText.modern(1, "tools/list", "");

  private static final List<Bad> WRONG_HEADERS =
      List.of(
          Bad.of(LIST.with("Host", "evil.example"), "403", 0),
          Bad.of(LIST.without("Host"), "400", 0),
          Bad.of(LIST.with("Origin", "http://evil.example"), "403", 0),
          Bad.of(LIST.with("Content-Type", "text/plain"), "415", -32600),
          Bad.of(LIST.without("Content-Type"), "415", -32600),
          Bad.of(LIST.with("Accept", "text/html"), "406", -32600),
          Bad.of(LIST.with("MCP-Protocol-Version", "1999-01-01"), "400", -32020),
          Bad.of(LIST.without("MCP-Protocol-Version"), "400", -32020),
          Bad.of(LIST.with("Mcp-Method", "tools/call"), "400", -32020),
          Bad.of(LIST.without("Mcp-Method"), "400", -32020),
          Bad.of(
              McpText.modernCall(1, "grace_poll_messages", "{}").with("Mcp-Name", "x"),
              "400",
              -32020),
          Bad.of(McpText.modern(1, "no/such/method", ""), "404", -32601),
          Bad.of(LIST.with("X", "x".repeat(20_000)), "431", 0),
          Bad.of(LIST.with("Content-Length", "-5"), "400", 0));

  private static final List<Bad> DEEP =
      List.of(
          Bad.of(McpText.saying("[".repeat(100_000)), "400", -32700),
          Bad.of(McpText.saying("{\"a\":".repeat(100_000)), "400", -32700),
          Bad.of(McpText.saying("1" + "0".repeat(100_000)), "400", -32700));

  private final Bad tooLarge = Bad.of(McpText.saying("x".repeat(FRAME_LIMIT + 1)), "413", -32600);

  void badJson(int n) {
    attack(BAD_JSON.get(n % BAD_JSON.size()));
  }

  void wrongHeaders(int n) {
    attack(WRONG_HEADERS.get(n % WRONG_HEADERS.size()));
  }

  void deepNesting(int n) {
    attack(DEEP.get(n % DEEP.size()));
  }

  /** A body beyond the limit, which may be refused, and the connection cut off, before its end. */
  void hugeBody(int n) {
    try {
      attack(tooLarge);
    } catch (UncheckedIOException e) {
      cutOff.incrementAndGet();
    }
  }

  private void attack(Bad bad) {
    try (RawWeb web = RawWeb.to(port)) {
      String head = web.say(bad.request().post()).head();
      String body = web.body(head);
      ProcessInspection.assertHidden(head + body);
      String shown = bad.request().post();
      String status = head.substring(HTTP.length(), HTTP.length() + 3);
      if (status.equals(NO_ROOM) && shown.length() > ALWAYS_READ) {
        return;
      }
      assertThat(status)
          .as(shown.substring(0, Math.min(400, shown.length())))
          .isEqualTo(bad.status());
      if (bad.code() != 0) {
        assertThat(FrameSocketClient.parse(body).at("/error/code").asInt()).isEqualTo(bad.code());
      }
    }
  }

  /** Asks for a large answer and doesn't read it. */
  void deafToAnAnswer(String client, String cursor, OpenConnections openConnections) {
    RawWeb web = openConnections.join();
    web.say(
        McpText.modernCall(
                1,
                "grace_poll_messages",
                "{'client_id':'%s','cursor':'%s'}".formatted(client, cursor))
            .post());
  }

  /** Subscribes to what changes all the time, and doesn't read it. */
  void deafToAStream(String watched, OpenConnections openConnections) {
    openConnections
        .join()
        .say(
            McpText.modern(
                    1,
                    "subscriptions/listen",
                    "'notifications':{'toolsListChanged':true,'resourceSubscriptions':['%s']}"
                        .formatted(watched))
                .post());
  }

  /** Leaves a request unfinished: its head, or its body. */
  static void halfOpen(int n, OpenConnections openConnections) {
    McpText request = McpText.saying("{").with("Content-Length", String.valueOf(FRAME_LIMIT));
    openConnections.join().say(n % 2 == 0 ? "GET /mcp HTTP/1.1\nHost: loc" : request.post());
  }

  /** Begins a call and closes its stream, which cancels it. */
  void callAndClose(String client) throws InterruptedException {
    try (RawWeb web = RawWeb.to(port)) {
      web.say(McpText.modernCall(1, "grace_poll_messages", waiting(client)).post());
      begun.incrementAndGet();
      TimedWait.system().pause(UNTIL_CLOSED);
    }
  }

  /** Begins calls as an older client, and cancels each once its stream has begun. */
  void callAndCancel(List<String> clients) {
    String session = session();
    try (OpenConnections openConnections = new OpenConnections(port, clients.size())) {
      for (int i = 0; i < clients.size(); i++) {
        McpText call = McpText.legacyCall(i, "grace_poll_messages", waiting(clients.get(i)));
        openConnections.join().say(call.with(SESSION, session).post());
        begun.incrementAndGet();
      }
      for (RawWeb web : openConnections.members()) {
        assertThat(web.head()).startsWith("HTTP/1.1 200 ").contains("text/event-stream");
      }
      for (int i = 0; i < clients.size(); i++) {
        try (RawWeb web = RawWeb.to(port)) {
          String head = web.say(McpText.cancel(i).with(SESSION, session).post()).head();
          assertThat(head).startsWith("HTTP/1.1 202 ");
        }
      }
      for (RawWeb web : openConnections.members()) {
        assertThat(web.chunks()).as("what comes of a cancelled call").matches("(:\n\n)+");
      }
    }
  }

  private String session() {
    try (RawWeb web = RawWeb.to(port)) {
      McpText initialize =
          McpText.legacy(
              1,
              "initialize",
              "'protocolVersion':'2025-11-25','capabilities':{},"
                  + "'clientInfo':{'name':'hostile','version':'1'}");
      String head = web.say(initialize.post()).head();
      return head.replaceFirst("(?si).*mcp-session-id: *(\\S+).*", "$1");
    }
  }

  private static String waiting(String client) {
    return "{'client_id':'%s','wait_ms':25000}".formatted(client);
  }

  /** How many calls were begun in order to be cancelled. */
  int begun() {
    return begun.get();
  }
}
