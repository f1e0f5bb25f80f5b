package joshua.network;

import static joshua.network.ToolHints.READS;
import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Tool.Audience;
import joshua.testing.Await;
import joshua.testing.ManualTime;
import org.junit.jupiter.api.Test;

class ToolRegistryTest {
  record Nothing() {}

  record Done(String status) {}

  private final CountDownLatch waiting = new CountDownLatch(1);
  private final Connection connection = new Connection("test", () -> false);
  private final ToolRegistry tools =
      new ToolRegistry(
          List.of(
              tool("does", Role.VIEWER, (input, call) -> ToolResult.success(new Done("success"))),
              tool("fails", Role.OPERATOR, (input, call) -> failing()),
              tool(
                  "waits",
                  Role.VIEWER,
                  (input, call) ->
                      call.runBlocking(() -> {
                        waiting.countDown();
                        new CountDownLatch(1).await();
                        throw new AssertionError("nobody ends that wait");
                      }))),
          InstantSource.system(),
          new PrometheusRegistry());

  private static CompletableFuture<ToolResult> failing() {
    throw new IllegalStateException("secret");
  }

  private static Tool<Nothing> tool(String name, Role role, Tool.Function<Nothing> function) {
    return new Tool<>(
        name, name, "Does it.", Nothing.class, Done.class, Audience.MODEL, role, READS, function);
  }

  private Refusal refusal(String tool, Caller caller) {
    return ((ToolResult.Refused) tools.begin(tool, Json.object(), caller, Audience.MODEL).join())
        .refusal();
  }

  @Test
  void aRoleIsAskedBeforeTheInput() {
    Caller viewer = new Caller(Optional.of("ann"), Role.VIEWER, connection);
    Refusal refused = refusal("fails", viewer);
    assertThat(refused.code()).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refused.message())
        .isEqualTo("fails needs the role operator, and the caller's is viewer.");
    assertThat(tools.begin("does", Json.object(), viewer, Audience.MODEL).join())
        .isInstanceOf(ToolResult.Success.class);
  }

  @Test
  void aToolThatThrowsTellsNothingButTheCorrelationId() {
    Refusal refused = refusal("fails", Caller.local(connection));
    assertThat(refused.code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(refused.message())
        .contains(refused.details().get("correlation_id").asText())
        .doesNotContain("secret");
  }

  @Test
  void aCallEndsWhenItsCallerHasGone() throws Exception {
    CompletableFuture<ToolResult> result =
        tools.begin("waits", Json.object(), Caller.local(connection), Audience.MODEL);
    waiting.await();
    connection.close();
    Await.until("the call is cancelled", result::isCompletedExceptionally);
    assertThat(connection.isGone()).isTrue();
  }

  @Test
  void aRateIsSoManyCallsASecondAndTwiceAsManyAtOnce() {
    ManualTime time = new ManualTime(java.time.Instant.EPOCH);
    CallLimits rate = new CallLimits(10, time::nanoTime);
    for (int i = 0; i < 20; i++) {
      assertThat(rate.take()).isEmpty();
    }
    assertThat(rate.take().orElseThrow().details().get("retry_after_ms").asInt()).isEqualTo(100);
    time.advance(java.time.Duration.ofMillis(100));
    assertThat(rate.take()).isEmpty();
    assertThat(rate.take()).isPresent();
  }
}
