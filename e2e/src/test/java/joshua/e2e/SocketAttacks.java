package joshua.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.TimedWait;

/** Attacks on {@code /mcp} over WebSockets. */
final class SocketAttacks {
  private static final int FRAME_LIMIT = 4 << 20;

  /** A large message may also be refused because too much is held for others. */
  private static final int TRY_LATER = 1013;

  private static final int FINAL = 0x80;
  private static final int RESERVED = 0x70;
  private static final int BINARY = 2;
  private static final int LARGE_ANSWERS = 3;
  private static final Duration UNTIL_CANCELLED = Duration.ofMillis(20);

  /** A message, and the code of the error that it is answered with. */
  private record Nonsense(String message, int code) {}

  /** A frame, and the code with which its socket is closed. */
  private record Broken(int first, byte[] payload, boolean masked, int code) {}

  private static final List<Nonsense> NONSENSE =
      List.of(
          new Nonsense("", -32700),
          new Nonsense("garbage", -32700),
          new Nonsense("{} {}", -32700),
          new Nonsense("[".repeat(100_000), -32700),
          new Nonsense("{\"a\":".repeat(100_000), -32700),
          new Nonsense("[]", -32600),
          new Nonsense("\"text\"", -32600),
          new Nonsense("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", -32600),
          new Nonsense(McpText.modern(1, "ping", "").body(), -32601),
          new Nonsense(McpText.modern(1, "tools/call", "'name':[]").body(), -32602),
          new Nonsense(McpText.legacy(1, "no/such/method", "").body(), -32601),
          new Nonsense(McpText.legacyCall(1, "rm", "{}").body(), -32602));

  private static final List<Broken> BROKEN =
      List.of(
          new Broken(FINAL | BINARY, new byte[] {1, 2, 3}, true, 1003),
          new Broken(FINAL | RawWeb.TEXT, new byte[FRAME_LIMIT + 1], true, 1009),
          new Broken(FINAL | RawWeb.TEXT, new byte[] {'"', (byte) 0xff, '"'}, true, 1007),
          new Broken(FINAL | RawWeb.TEXT, "{}".getBytes(UTF_8), false, 1002),
          new Broken(FINAL | RESERVED | RawWeb.TEXT, "{}".getBytes(UTF_8), true, 1002));

  private final int port;
  private final AtomicInteger begun = new AtomicInteger();

  SocketAttacks(int port) {
    this.port = port;
  }

  void nonsense(int n, RawWeb socket) {
    Nonsense nonsense = NONSENSE.get(n % NONSENSE.size());
    String answer = socket.text(nonsense.message()).read().text();
    assertThat(FrameSocketClient.parse(answer).at("/error/code").asInt())
        .as(answer)
        .isEqualTo(nonsense.code());
    ProcessInspection.assertHidden(answer);
  }

  void brokenFrame(int n) {
    Broken broken = BROKEN.get(n % BROKEN.size());
    try (RawWeb web = RawWeb.to(port).mcp()) {
      RawWeb.Frame answer = web.frame(broken.first(), broken.payload(), broken.masked()).read();
      if (answer.code() != TRY_LATER || broken.payload().length < FRAME_LIMIT) {
        assertThat(answer.code()).isEqualTo(broken.code());
      }
      ProcessInspection.assertHidden(answer.text());
    }
  }

  /** Asks for large answers and doesn't read them; may be cut off while it asks. */
  void deaf(String client, String cursor, OpenConnections openConnections) {
    RawWeb web = openConnections.join().mcp();
    try {
      for (int id = 0; id < LARGE_ANSWERS; id++) {
        web.text(
            McpText.modernCall(
                    id,
                    "grace_poll_messages",
                    "{'client_id':'%s','cursor':'%s'}".formatted(client, cursor))
                .body());
      }
    } catch (UncheckedIOException e) {
      // Cut off.
    }
  }

  /** Begins a call and cancels it; only the next request is answered. */
  void callAndCancel(int n, boolean modern, String client, RawWeb socket)
      throws InterruptedException {
    int id = 2 * n;
    String arguments = "{'client_id':'%s','wait_ms':25000}".formatted(client);
    socket.text(
        modern
            ? McpText.modernCall(id, "grace_poll_messages", arguments).body()
            : McpText.legacyCall(id, "grace_poll_messages", arguments).body());
    begun.incrementAndGet();
    TimedWait.system().pause(UNTIL_CANCELLED);
    socket.text(McpText.cancel(id).body());
    McpText next =
        modern ? McpText.modern(id + 1, "server/discover", "") : McpText.legacy(id + 1, "ping", "");
    JsonNode answer = FrameSocketClient.parse(socket.text(next.body()).read().text());
    assertThat(answer.path("id").asInt()).as(answer.toString()).isEqualTo(id + 1);
    assertThat(answer.has("result")).as(answer.toString()).isTrue();
  }

  /** How many calls were begun in order to be cancelled. */
  int begun() {
    return begun.get();
  }
}
