package joshua.network.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.network.Authenticator;
import joshua.network.Caller;
import joshua.network.mcp.McpClient;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

/** The behaviour at one more than each maximum. */
class BoundsTest {
  private static final Caller ANN = new Caller(Optional.of("ann"), Role.OPERATOR, "c-1");
  private static final Caller BOB = new Caller(Optional.of("bob"), Role.OPERATOR, "c-2");

  @Test
  @TriesLimit("http.sockets")
  void thereIsNoRoomForOneSocketTooManyUntilAnotherHasGone() {
    RevocationWatch revocations = new RevocationWatch(Authenticator.open(), Thread::sleep);
    ServerSockets open =
        new ServerSockets(
            2,
            new SocketMemoryBudget(1 << 20),
            revocations,
            Thread::sleep,
            new SimpleMeterRegistry());
    JettyWebSocket first =
        new JettyWebSocket(
            "ws-1", Optional::empty, messageSink -> null, 1 << 20, open, System::nanoTime);
    open.opened(first);
    assertThat(open.hasRoom()).isTrue();
    open.opened(
        new JettyWebSocket(
            "ws-2", Optional::empty, messageSink -> null, 1 << 20, open, System::nanoTime));
    assertThat(open.hasRoom()).isFalse();
    open.gone(first);
    assertThat(open.hasRoom()).isTrue();
    open.close(() -> true);
  }

  private static final Caller ANYBODY = new Caller(Optional.empty(), Role.ADMIN, "c-3");

  private final AtomicLong nanos = new AtomicLong();
  private final LegacySessions sessions = new LegacySessions(Thread::sleep, nanos::get);

  private McpClient session(String id, Caller caller) {
    return sessions.takeOn(id, caller).orElseThrow();
  }

  private void fill(Caller caller) {
    for (int i = sessions.count(); i < LegacySessions.MAX_SESSIONS; i++) {
      session("session-" + i, caller);
    }
  }

  @Test
  @TriesLimit("http.sessions")
  void oneSessionTooManyPushesOutTheOneUnusedForLongest() {
    McpClient first = session("session-0", ANYBODY);
    McpClient second = session("session-1", ANYBODY);
    fill(ANYBODY);
    assertThat(session("session-0", ANYBODY)).isSameAs(first);
    session("session-one-too-many", ANYBODY);
    assertThat(session("session-0", ANYBODY)).isSameAs(first);
    assertThat(session("session-1", ANYBODY)).isNotSameAs(second);
    assertThat(sessions.count()).isEqualTo(LegacySessions.MAX_SESSIONS);
  }

  @Test
  @TriesLimit("http.sessions-of-a-token")
  void whoHasAnIdentityPushesOutItsOwnBeyondItsPart() {
    McpClient ofAnn = session("session-of-ann", ANN);
    McpClient first = session("session-0", BOB);
    for (int i = 1; i < LegacySessions.MAX_OF_A_CALLER; i++) {
      session("session-" + i, BOB);
    }
    assertThat(session("session-0", BOB)).isSameAs(first);
    session("session-one-too-many", BOB);
    assertThat(sessions.count()).isEqualTo(LegacySessions.MAX_OF_A_CALLER + 1);
    assertThat(sessions.find("session-1", BOB)).isEmpty();
    assertThat(sessions.find("session-0", BOB)).containsSame(first);
    assertThat(sessions.find("session-of-ann", ANN)).containsSame(ofAnn);
  }

  @Test
  void whoMakesManySessionsPushesOutHisOwnAndNobodyElses() {
    McpClient ofAnn = session("session-of-ann", ANN);
    fill(ANYBODY);
    for (int i = 0; i < LegacySessions.MAX_SESSIONS; i++) {
      session("one-more-session-" + i, ANYBODY);
    }
    assertThat(sessions.find("session-of-ann", ANN)).containsSame(ofAnn);
    session("another-session-of-ann", ANN);
    assertThat(sessions.find("session-of-ann", ANN)).containsSame(ofAnn);
    assertThat(sessions.count()).isEqualTo(LegacySessions.MAX_SESSIONS);
  }

  @Test
  void aSessionInUseIsNeverPushedOut() {
    McpClient first = session("session-0", ANYBODY);
    first.working(IntNode.valueOf(1), Thread.currentThread());
    McpClient second = session("session-1", ANYBODY);
    fill(ANYBODY);
    session("session-one-too-many", ANYBODY);
    assertThat(session("session-0", ANYBODY)).isSameAs(first);
    assertThat(Thread.interrupted()).isFalse();
    assertThat(sessions.find("session-1", ANYBODY)).isEmpty();
    assertThat(second.isIdle()).isTrue();
  }

  @Test
  void whereAllAreInUseThereIsNoRoomForOneSessionMore() {
    for (int i = 0; i < LegacySessions.MAX_SESSIONS; i++) {
      session("session-" + i, ANYBODY).working(IntNode.valueOf(1), Thread.currentThread());
    }
    assertThat(sessions.takeOn("session-one-too-many", ANYBODY)).isEmpty();
    assertThat(sessions.takeOn("session-of-bob", BOB)).isEmpty();
    session("session-0", ANYBODY).done(IntNode.valueOf(1));
    assertThat(sessions.takeOn("session-of-bob", BOB)).isPresent();
  }

  @Test
  void aSessionThatIsUnusedForADayIsForgottenAndTakenOnAnew() {
    McpClient forgotten = session("session-0", ANN);
    McpClient used = session("session-1", ANN);
    McpClient inUse = session("session-2", BOB);
    inUse.working(IntNode.valueOf(1), Thread.currentThread());
    nanos.addAndGet(LegacySessions.UNUSED.toNanos() - 1);
    assertThat(session("session-1", ANN)).isSameAs(used);
    nanos.addAndGet(Duration.ofMinutes(2).toNanos());

    assertThat(session("session-1", ANN)).isSameAs(used);
    assertThat(sessions.count()).isEqualTo(2);
    assertThat(session("session-0", ANN)).isNotSameAs(forgotten);
    assertThat(session("session-2", BOB)).isSameAs(inUse);
    inUse.done(IntNode.valueOf(1));
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
    ResponseQueue queue = new ResponseQueue(new SocketMemoryBudget(64L << 20));
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
    ResponseQueue queue = new ResponseQueue(new SocketMemoryBudget(64L << 20));
    assertThat(queue.next(Duration.ofMillis(1))).isInstanceOf(ResponseQueue.Next.Quiet.class);
    queue.abandon();
    assertThat(queue.next(Duration.ofSeconds(5))).isInstanceOf(ResponseQueue.Next.Abandoned.class);
  }

  @Test
  void onlyTheNewestProgressWaits() throws Exception {
    SocketMemoryBudget socketMemoryBudget = new SocketMemoryBudget(64L << 20);
    try (ResponseQueue queue = new ResponseQueue(socketMemoryBudget)) {
      for (int i = 1; i <= 1_000; i++) {
        queue.send(progress("mine", i));
      }
      queue.send(Json.object().put("method", "notifications/message"));
      queue.send(progress("mine", 1_001));
      queue.send(progress("another's", 1));
      assertThat(socketMemoryBudget.bytes()).isLessThan(1_000);
      assertThat(text(queue)).contains("mine", "1001");
      assertThat(text(queue)).contains("notifications/message");
      assertThat(text(queue)).contains("another's");
      assertThat(socketMemoryBudget.bytes()).isZero();
      queue.send(progress("mine", 1_002));
      assertThat(text(queue)).contains("1002");
      assertThat(queue.next(Duration.ofMillis(1))).isInstanceOf(ResponseQueue.Next.Quiet.class);
    }
  }

  @Test
  void whatWaitsForAllResponsesIsBoundedAndWhoHoldsMostIsGivenUp() throws Exception {
    SocketMemoryBudget socketMemoryBudget = new SocketMemoryBudget(1_000_000);
    String text = "x".repeat(50_000);
    try (ResponseQueue small = new ResponseQueue(socketMemoryBudget);
        ResponseQueue large = new ResponseQueue(socketMemoryBudget)) {
      small.send(Json.object().put("text", text));
      for (int i = 0; i < 8; i++) {
        large.send(Json.object().put("text", text));
      }
      assertThat(large.held()).isGreaterThan(800_000);
      small.send(Json.object().put("text", text));
      assertThat(socketMemoryBudget.bytes()).isLessThan(1_000_000);
      assertThat(text(small)).contains(text);
      assertThat(large.next(Duration.ofSeconds(5)))
          .isInstanceOfSatisfying(
              ResponseQueue.Next.Overflow.class,
              overflow -> assertThat(overflow.reason()).contains("held for all", "read"));
      large.send(Json.object().put("text", text));
      assertThat(large.held()).isZero();
    }
    assertThat(socketMemoryBudget.bytes()).isZero();
  }

  @Test
  void aResponseThatIsOverKeepsNothing() {
    SocketMemoryBudget socketMemoryBudget = new SocketMemoryBudget(64L << 20);
    ResponseQueue queue = new ResponseQueue(socketMemoryBudget);
    queue.send(Json.object().put("text", "waits"));
    queue.close();
    queue.send(Json.object().put("text", "comes late"));
    assertThat(socketMemoryBudget.bytes()).isZero();
  }

  private static ObjectNode progress(String token, int done) {
    var message = Json.object().put("method", "notifications/progress");
    message.putObject("params").put("progressToken", token).put("progress", done);
    return message;
  }

  private static String text(ResponseQueue queue) throws Exception {
    return ((ResponseQueue.Next.Message) queue.next(Duration.ofSeconds(5))).json();
  }
}
