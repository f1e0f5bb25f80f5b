package joshua.network.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import joshua.network.Authenticator;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Slow HTTP clients take room from others only for a moment (+JN-03, Works 16). */
final class TransferBudgetTest {
  private static final int LARGE = 50_000;

  /** One body of that size has room, at twice its bytes, and no second one. */
  private static final long ROOM = 110_000;

  private final AtomicLong nanos = new AtomicLong();
  private McpFixture fixture;

  @BeforeEach
  void start() throws Exception {
    fixture = new McpFixture(Authenticator.open(), 1_000, nanos::get, ROOM);
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void aBodyThatStallsIsCutOffWhenAnotherFindsNoRoom() throws Exception {
    try (RawClient slow = stallingBody()) {
      try (McpPost refused = McpPost.modern(fixture.port(), body(LARGE))) {
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.answer().at("/error/data/code").asText()).isEqualTo("overloaded");
      }
      nanos.addAndGet(TransferBudget.STALLED.toNanos());
      try (McpPost answered = McpPost.modern(fixture.port(), body(LARGE))) {
        assertThat(answered.status()).isEqualTo(200);
      }
      assertThat(slow.header()).startsWith("HTTP/1.1 408");
    }
  }

  @Test
  void smallBodiesAndAnswersHaveRoomBesideALargeBodyThatStalls() throws Exception {
    try (RawClient slow = stallingBody();
        McpPost small = McpPost.modern(fixture.port(), body(1));
        McpPost large = McpPost.modern(fixture.port(), repeat(10_000))) {
      assertThat(small.status()).isEqualTo(200);
      assertThat(text(large.answer())).hasSize(10_000);
      slow.finish();
      assertThat(slow.header()).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void anAnswerWithoutRoomIsToldAsOverloaded() throws Exception {
    try (McpPost refused = McpPost.modern(fixture.port(), repeat((int) ROOM))) {
      assertThat(refused.status()).isEqualTo(503);
      JsonNode answer = refused.answer();
      assertThat(answer.path("id").asInt()).isEqualTo(1);
      assertThat(answer.path("error").path("data").path("code").asText()).isEqualTo("overloaded");
      assertThat(answer.path("error").path("message").asText()).contains("has been done");
    }
  }

  @Test
  void aReaderThatStallsIsCutOffForAnother() throws Exception {
    TransferBudget transferBudget = new TransferBudget(ROOM, nanos::get, Thread::sleep);
    CountDownLatch holding = new CountDownLatch(1);
    CompletableFuture<Boolean> cut = new CompletableFuture<>();
    Thread slow =
        Thread.ofVirtual()
            .start(() -> {
              try (TransferBudget.Load load = transferBudget.begin()) {
                load.takeLarge(ROOM);
                holding.countDown();
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                cut.complete(true);
              }
            });
    assertThat(holding.await(10, TimeUnit.SECONDS)).isTrue();
    try (TransferBudget.Load load = transferBudget.begin()) {
      assertThat(load.takeLarge(1)).isFalse();
      nanos.addAndGet(TransferBudget.STALLED.toNanos());
      assertThat(load.takeLarge(1)).isTrue();
    }
    assertThat(cut.get(10, TimeUnit.SECONDS)).isTrue();
    slow.join();
    assertThat(transferBudget.bytes()).isZero();
  }

  /** A large answer is in memory while it waits for room: without a limit, many are. */
  @Test
  @TriesLimit("http.bodies")
  void whereOneWaitsForAllTheRoomTheNextIsRefusedAtOnce() throws Exception {
    CountDownLatch holding = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicInteger pauses = new AtomicInteger();
    AtomicReference<TransferBudget.Load> next = new AtomicReference<>();
    TransferBudget transferBudget =
        new TransferBudget(
            ROOM,
            nanos::get,
            _ -> {
              if (pauses.incrementAndGet() == 1) {
                assertThat(next.get().takeLarge(1)).isFalse();
                assertThat(pauses).hasValue(1);
                mayEnd.countDown();
              }
            });
    Thread slow =
        Thread.ofVirtual()
            .start(() -> {
              try (TransferBudget.Load load = transferBudget.begin()) {
                load.takeLarge(ROOM);
                holding.countDown();
                assertThat(interrupted(() -> new CountDownLatch(1).await())).isTrue();
                mayEnd.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    assertThat(holding.await(10, TimeUnit.SECONDS)).isTrue();
    nanos.addAndGet(TransferBudget.STALLED.toNanos());
    try (TransferBudget.Load waiting = transferBudget.begin();
        TransferBudget.Load refused = transferBudget.begin()) {
      next.set(refused);
      waiting.takeLarge(ROOM);
      assertThat(pauses.get()).isPositive();
    }
    slow.join();
    assertThat(transferBudget.bytes()).isZero();
  }

  @Test
  void whoMovesIsCutOffOnlyAfterLong() throws Exception {
    TransferBudget transferBudget = new TransferBudget(ROOM, nanos::get, Thread::sleep);
    try (TransferBudget.Load moving = transferBudget.begin();
        TransferBudget.Load seeking = transferBudget.begin()) {
      assertThat(moving.takeLarge(ROOM)).isTrue();
      for (long second = 1; second < TransferBudget.LONG.toSeconds(); second++) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        moving.moved(1);
        assertThat(seeking.takeLarge(1)).isFalse();
        assertThat(moving.isCut()).isFalse();
      }
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
      // Both are this thread here: a load that is cut off is interrupted where it waits.
      assertThat(interrupted(() -> seeking.takeLarge(1))).isTrue();
      assertThat(moving.isCut()).isTrue();
    }
    assertThat(Thread.interrupted()).isFalse();
  }

  private interface Waiting {
    void run() throws InterruptedException;
  }

  private static boolean interrupted(Waiting waiting) {
    try {
      waiting.run();
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  /** A client that has sent all of a large body but its last byte, and all that is read. */
  private RawClient stallingBody() throws Exception {
    RawClient client = new RawClient(fixture.port());
    client.beginPost(body(LARGE));
    await().until(() -> fixture.meters.get("joshua.mcp.bytes").gauge().value() >= LARGE);
    return client;
  }

  private static String body(int size) {
    return McpFixture.modern(1, "tools/call", McpFixture.call("whoami", "x".repeat(size)));
  }

  private static String repeat(int size) {
    return McpFixture.modern(1, "tools/call", McpFixture.call("repeat", String.valueOf(size)));
  }

  private static String text(JsonNode answer) {
    return answer.path("result").path("structuredContent").path("text").asText();
  }
}
