package joshua.network.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static joshua.network.http.McpFixture.INITIALIZE;
import static joshua.network.http.McpFixture.QUEUE;
import static joshua.network.http.McpFixture.call;
import static joshua.network.http.McpFixture.legacy;
import static joshua.network.http.McpFixture.modern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import joshua.kernel.TimedWait;
import joshua.network.TokenFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests and sockets that are open when their token is revoked or given to another client. */
@Timeout(60)
class RevokedTokenTest {
  private static final String AUTHORIZATION = "Authorization";
  private static final String SESSION = "Mcp-Session-Id";
  private static final String ANN = "Bearer token-of-ann";
  private static final String BOB = "Bearer token-of-bob";

  @TempDir Path directory;
  private final AtomicLong nanos = new AtomicLong();
  private final Semaphore pings = new Semaphore(0);
  private McpFixture fixture;

  @BeforeEach
  void start() throws Exception {
    write(ANN, "ann operator", BOB, "bob operator");
    fixture =
        new McpFixture(
            TokenFile.open(directory.resolve("tokens"), nanos::get),
            10_000,
            System::nanoTime,
            McpFixture.PASSING,
            duration -> {
              if (duration.equals(ServerSockets.PING_EVERY)) {
                pings.acquire();
              } else {
                TimedWait.system().pause(duration);
              }
            });
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  /** Puts these tokens in force, each with the client it stands for. */
  private void write(String... tokens) throws Exception {
    StringBuilder lines = new StringBuilder("# ").append(nanos).append('\n');
    for (int i = 0; i < tokens.length; i += 2) {
      byte[] token = tokens[i].substring("Bearer ".length()).getBytes(UTF_8);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(token);
      lines.append(HexFormat.of().formatHex(hash)).append(' ').append(tokens[i + 1]).append('\n');
    }
    Files.writeString(directory.resolve("tokens"), lines);
    nanos.addAndGet(TokenFile.LOOK_AGAIN.toNanos());
  }

  private CollectingWsClient open(String path, String token) {
    return CollectingWsClient.open(fixture.port(), path, AUTHORIZATION, token);
  }

  @Test
  void aSocketThatSaysNothingIsClosedAtTheNextPing() throws Exception {
    try (CollectingWsClient frames = open("/ws", ANN);
        CollectingWsClient mcp = open("/mcp", ANN);
        CollectingWsClient ofBob = open("/mcp", BOB)) {
      await().until(() -> fixture.meters.get("joshua.sockets.open").gauge().value() == 3);
      pings.release();
      write(BOB, "bob operator");
      pings.release();
      assertThat(frames.closeCode()).isEqualTo(JettyWebSocket.POLICY);
      assertThat(mcp.closeCode()).isEqualTo(JettyWebSocket.POLICY);
      ofBob.send(legacy(1, "ping", ""));
      assertThat(ofBob.next().has("result")).isTrue();
      write(BOB, "bob viewer");
      pings.release();
      assertThat(ofBob.closeCode()).isEqualTo(JettyWebSocket.POLICY);
    }
  }

  @Test
  void aListenerHearsNothingMore() throws Exception {
    String filter = "\"notifications\":{\"resourceSubscriptions\":[\"" + QUEUE + "\"]}";
    try (McpPost listener =
        McpPost.modern(
            fixture.port(), modern(1, "subscriptions/listen", filter), AUTHORIZATION, ANN)) {
      listener.event();
      fixture.queue.change();
      assertThat(listener.event().at("/params/uri").asText()).isEqualTo(QUEUE);
      write(ANN, "ann viewer");
      assertUnauthenticated(listener.event());
      assertThatThrownBy(listener::event).hasMessageContaining("the stream ended");
      await().until(() -> fixture.queue.watchers.isEmpty());
    }
  }

  @Test
  void anOlderClientIsPushedNothingMore() throws Exception {
    try (McpPost initialized =
        McpPost.plain(fixture.port(), legacy(1, "initialize", INITIALIZE), AUTHORIZATION, ANN)) {
      String session = initialized.header(SESSION);
      String subscribe = legacy(2, "resources/subscribe", "\"uri\":\"" + QUEUE + "\"");
      try (McpPost subscribed =
              McpPost.plain(fixture.port(), subscribe, AUTHORIZATION, ANN, SESSION, session);
          McpPost stream = McpPost.get(fixture.port(), session, AUTHORIZATION, ANN)) {
        assertThat(subscribed.answer().has("result")).isTrue();
        write(BOB, "bob operator");
        fixture.queue.change();
        assertThatThrownBy(stream::event).hasMessageContaining("the stream ended");
      }
    }
  }

  @Test
  void aCallThatWaitsIsEndedAtOnceInEitherWay() throws Exception {
    String hang = modern(1, "tools/call", call("hang", ""));
    CompletableFuture<McpPost> fresh = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            fresh.complete(McpPost.modern(fixture.port(), hang, AUTHORIZATION, ANN));
          } catch (Exception e) {
            fresh.completeExceptionally(e);
          }
        });
    try (McpPost waiting = McpPost.plain(fixture.port(), legacyHang(), AUTHORIZATION, BOB)) {
      assertThat(waiting.header("Content-Type")).startsWith("text/event-stream");
      write("Bearer another", "eve viewer");
      assertUnauthenticated(waiting.event());
    }
    try (McpPost ended = fresh.get(5, TimeUnit.SECONDS)) {
      JsonNode answer = ended.status() == 401 ? ended.answer() : ended.event();
      assertUnauthenticated(answer);
    }
    assertThat(fixture.interrupted.await(5, TimeUnit.SECONDS)).isTrue();
    await().until(() -> fixture.meters.get("joshua.mcp.working").gauge().value() == 0);
  }

  @Test
  void aSocketThatWaitsForAnAnswerIsClosedAtOnce() throws Exception {
    try (CollectingWsClient waiting = open("/mcp", ANN);
        CollectingWsClient ofBob = open("/mcp", BOB)) {
      waiting.send(modern(1, "tools/call", call("hang", "")));
      assertThat(fixture.hanging.await(5, TimeUnit.SECONDS)).isTrue();
      write(BOB, "bob operator");
      assertThat(waiting.closeCode()).isEqualTo(JettyWebSocket.POLICY);
      assertThat(fixture.interrupted.await(5, TimeUnit.SECONDS)).isTrue();
      ofBob.send(legacy(1, "ping", ""));
      assertThat(ofBob.next().has("result")).isTrue();
    }
  }

  private static String legacyHang() {
    return legacy(1, "tools/call", call("hang", ""));
  }

  private static void assertUnauthenticated(JsonNode answer) {
    assertThat(answer.at("/error/data/code").asText())
        .as("%s", answer)
        .isEqualTo("unauthenticated");
    assertThat(answer.path("id").asInt()).isEqualTo(1);
  }
}
