package joshua.network.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.network.Caller;
import joshua.network.mcp.McpClient;
import org.junit.jupiter.api.Test;

/** What happens at one more than the most. */
class BoundsTest {
  private static final Caller ANN = new Caller(Optional.of("ann"), Role.OPERATOR, "c-1");
  private static final Caller BOB = new Caller(Optional.of("bob"), Role.OPERATOR, "c-2");

  @Test
  void thereIsNoRoomForOneSocketTooManyUntilAnotherHasGone() {
    OpenSockets open = new OpenSockets(2, Thread::sleep, new SimpleMeterRegistry());
    Socket first = new Socket("ws-1", outlet -> null, 1 << 20, open, System::nanoTime);
    open.opened(first);
    assertThat(open.hasRoom()).isTrue();
    open.opened(new Socket("ws-2", outlet -> null, 1 << 20, open, System::nanoTime));
    assertThat(open.hasRoom()).isFalse();
    open.gone(first);
    assertThat(open.hasRoom()).isTrue();
    open.close(() -> true);
  }

  @Test
  void oneSessionTooManyPushesOutTheOneUnusedForLongest() {
    LegacySessions sessions = new LegacySessions(Thread::sleep);
    McpClient first = sessions.find("session-0", ANN).orElseThrow();
    McpClient second = sessions.find("session-1", ANN).orElseThrow();
    for (int i = 2; i < LegacySessions.MAX_SESSIONS; i++) {
      sessions.find("session-" + i, ANN);
    }
    assertThat(sessions.find("session-0", ANN)).containsSame(first);
    sessions.find("session-one-too-many", ANN);
    assertThat(sessions.find("session-0", ANN)).containsSame(first);
    assertThat(sessions.find("session-1", ANN).orElseThrow()).isNotSameAs(second);
  }

  @Test
  void aSessionIsOpenToItsCallerAlone() {
    LegacySessions sessions = new LegacySessions(Thread::sleep);
    assertThat(sessions.find("session-of-ann", ANN)).isPresent();
    assertThat(sessions.find("session-of-ann", BOB)).isEmpty();
    assertThat(sessions.end("session-of-ann", BOB)).isFalse();
    assertThat(sessions.find("short", ANN)).isEmpty();
    assertThat(sessions.find("x".repeat(129), ANN)).isEmpty();
  }

  @Test
  void aResponseThatNobodyReadsIsGivenUpAndItsMemoryFreed() throws Exception {
    ResponseQueue queue = new ResponseQueue();
    String megabyte = "x".repeat(1024 * 1024);
    for (long bytes = 0; bytes <= ResponseQueue.MAX_WAITING; bytes += 2 * megabyte.length()) {
      queue.send(Json.object().put("text", megabyte));
    }
    assertThat(queue.next(Duration.ofSeconds(5))).isInstanceOf(ResponseQueue.Next.Overflow.class);
    queue.send(Json.object());
    assertThat(queue.next(Duration.ofSeconds(5))).isInstanceOf(ResponseQueue.Next.Overflow.class);
  }

  @Test
  void aQuietResponseIsTold() throws Exception {
    ResponseQueue queue = new ResponseQueue();
    assertThat(queue.next(Duration.ofMillis(1))).isInstanceOf(ResponseQueue.Next.Quiet.class);
    queue.abandon();
    assertThat(queue.next(Duration.ofSeconds(5))).isInstanceOf(ResponseQueue.Next.Abandoned.class);
  }
}
