package joshua.network.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
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
    Socket first =
        new Socket("ws-1", Optional::empty, outlet -> null, 1 << 20, open, System::nanoTime);
    open.opened(first);
    assertThat(open.hasRoom()).isTrue();
    open.opened(
        new Socket("ws-2", Optional::empty, outlet -> null, 1 << 20, open, System::nanoTime));
    assertThat(open.hasRoom()).isFalse();
    open.gone(first);
    assertThat(open.hasRoom()).isTrue();
    open.close(() -> true);
  }

  private final LegacySessions sessions = new LegacySessions(Thread::sleep);

  private McpClient session(String id, Caller caller) {
    return sessions.takeOn(id, caller).orElseThrow();
  }

  private void fill(Caller caller) {
    for (int i = sessions.count(); i < LegacySessions.MAX_SESSIONS; i++) {
      session("session-" + i, caller);
    }
  }

  @Test
  void oneSessionTooManyPushesOutTheOneUnusedForLongest() {
    McpClient first = session("session-0", ANN);
    McpClient second = session("session-1", ANN);
    fill(ANN);
    assertThat(session("session-0", ANN)).isSameAs(first);
    session("session-one-too-many", ANN);
    assertThat(session("session-0", ANN)).isSameAs(first);
    assertThat(session("session-1", ANN)).isNotSameAs(second);
    assertThat(sessions.count()).isEqualTo(LegacySessions.MAX_SESSIONS);
  }

  @Test
  void whoMakesManySessionsPushesOutHisOwnAndNobodyElses() {
    McpClient ofAnn = session("session-of-ann", ANN);
    fill(BOB);
    for (int i = 0; i < LegacySessions.MAX_SESSIONS; i++) {
      session("one-more-session-" + i, BOB);
    }
    assertThat(sessions.find("session-of-ann", ANN)).containsSame(ofAnn);
    session("another-session-of-ann", ANN);
    assertThat(sessions.find("session-of-ann", ANN)).containsSame(ofAnn);
    assertThat(sessions.count()).isEqualTo(LegacySessions.MAX_SESSIONS);
  }

  @Test
  void aSessionInUseIsNeverPushedOut() {
    McpClient first = session("session-0", ANN);
    first.working(IntNode.valueOf(1), Thread.currentThread());
    McpClient second = session("session-1", ANN);
    fill(ANN);
    session("session-one-too-many", ANN);
    assertThat(session("session-0", ANN)).isSameAs(first);
    assertThat(Thread.interrupted()).isFalse();
    assertThat(sessions.find("session-1", ANN)).isEmpty();
    assertThat(second.isIdle()).isTrue();
  }

  @Test
  void whereAllAreInUseThereIsNoRoomForOneSessionMore() {
    for (int i = 0; i < LegacySessions.MAX_SESSIONS; i++) {
      session("session-" + i, ANN).working(IntNode.valueOf(1), Thread.currentThread());
    }
    assertThat(sessions.takeOn("session-one-too-many", ANN)).isEmpty();
    assertThat(sessions.takeOn("session-of-bob", BOB)).isEmpty();
    session("session-0", ANN).done(IntNode.valueOf(1));
    assertThat(sessions.takeOn("session-of-bob", BOB)).isPresent();
  }

  @Test
  void aSessionIsOpenToItsCallerAlone() {
    session("session-of-ann", ANN);
    assertThat(sessions.find("session-of-ann", ANN)).isPresent();
    assertThat(sessions.find("session-of-ann", BOB)).isEmpty();
    assertThat(sessions.takeOn("session-of-ann", BOB)).isEmpty();
    assertThat(sessions.end("session-of-ann", BOB)).isFalse();
    assertThat(sessions.takeOn("short", ANN)).isEmpty();
    assertThat(sessions.takeOn("x".repeat(129), ANN)).isEmpty();
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
