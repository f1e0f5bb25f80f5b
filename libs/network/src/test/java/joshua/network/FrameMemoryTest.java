package joshua.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

/** The memory that the frames of a session and their answers take. */
class FrameMemoryTest {
  private static final long BUDGET = 1 << 20;
  private static final long PLENTY = 256L << 20;
  private static final String LARGE = "x".repeat((int) BUDGET / 7);

  private final LinkedBlockingQueue<String> sent = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<String> began = new LinkedBlockingQueue<>();
  private final CountDownLatch latch = new CountDownLatch(1);

  private final MessageSink messageSink =
      new MessageSink() {
        @Override
        public void send(String message) {
          sent.add(message);
        }

        @Override
        public void end(ErrorCode code, String reason) {
          throw new AssertionError(reason);
        }
      };

  private final ToolRegistry tools =
      new ToolRegistry(
          ScriptedTool.list(
              ScriptedTool.echo(),
              ScriptedTool.waiting(began, latch),
              ScriptedTool.of(
                  "large",
                  call ->
                      Tool.Answer.of(new ToolResult.Success(Json.object().put("text", LARGE))))),
          new SimpleMeterRegistry(),
          InstantSource.system());

  private FrameSession session(MessageBudget budget) {
    Caller caller = new Caller(Optional.empty(), Role.ADMIN, "connection-1");
    return new FrameSession(
        tools,
        () -> Optional.of(caller),
        new RateLimit(1_000_000, System::nanoTime),
        messageSink,
        budget);
  }

  private static String frame(String tool, String text) {
    return "{\"tool_name\":\"%s\",\"tool_input\":{\"text\":\"%s\"}}".formatted(tool, text);
  }

  private static String frame(String tool, String text, String id) {
    return "{\"tool_name\":\"%s\",\"tool_input\":{\"text\":\"%s\"},\"request_id\":%s}"
        .formatted(tool, text, id);
  }

  private JsonNode next() throws Exception {
    String message = sent.poll(5, TimeUnit.SECONDS);
    assertThat(message).as("an answer within 5 s").isNotNull();
    return Json.parse(message);
  }

  @Test
  @TriesLimit("http.large-messages")
  void framesUnderWayTakeNoMoreMemoryThanTheirBudget() throws Exception {
    FrameSession session = session(MessageBudget.of(BUDGET, BUDGET));
    String nearlyHalf = "x".repeat((int) BUDGET / 11);
    session.received(frame("wait", nearlyHalf, "1"));
    session.received(frame("wait", nearlyHalf, "2"));
    session.received(frame("wait", nearlyHalf, "3"));

    JsonNode refused = next();
    assertThat(refused.get("request_id").asInt()).isEqualTo(3);
    assertThat(refused.get("code").asText()).isEqualTo("overloaded");
    session.received(frame("echo", "a small one has room all the same", "4"));
    assertThat(next().get("request_id").asInt()).isEqualTo(4);
    latch.countDown();
    assertThat(next().get("status").asText()).isEqualTo("success");
    assertThat(next().get("status").asText()).isEqualTo("success");
    session.received(frame("wait", nearlyHalf, "5"));
    assertThat(next().get("request_id").asInt()).isEqualTo(5);
  }

  @Test
  @TriesLimit("http.tree")
  void aFrameWhoseTreeWouldTakeTooMuchIsRefusedBeforeItIsParsed() throws Exception {
    MessageBudget budget = MessageBudget.of(PLENTY, PLENTY);
    FrameSession session = session(budget);
    // 24 MiB, and 130 bytes for each of these.
    String most = "{},".repeat(180_000);
    String tooMany = "{},".repeat(200_000);

    session.received(tree(most, "1"));
    assertThat(next().get("code").asText()).isEqualTo("invalid_input");
    session.received(tree(tooMany, "2"));

    JsonNode refused = next();
    assertThat(refused.get("code").asText()).isEqualTo("too_large");
    assertThat(refused.get("message").asText()).contains("24 MiB");
    assertThat(refused.get("request_id").asInt()).isEqualTo(2);
    session.received(tree(tooMany, "{\"not\":\"short\"}"));
    assertThat(next().has("request_id")).isFalse();
    assertThat(budget.taken()).isZero();
  }

  private static String tree(String elements, String id) {
    return "{\"tool_name\":\"echo\",\"tool_input\":{\"a\":[%s0]},\"request_id\":%s}"
        .formatted(elements, id);
  }

  @Test
  @TriesLimit("http.small-messages")
  void smallFramesHaveABudgetOfTheirOwn() throws Exception {
    FrameSession session = session(MessageBudget.of(2 * MessageBudget.SMALL, PLENTY));
    String small = "x".repeat(8 * 1024);
    session.received(frame("wait", small, "1"));
    session.received(frame("wait", small, "2"));
    session.received(frame("wait", small, "3"));
    while (sent.isEmpty()) {
      session.received(frame("wait", small, "4"));
    }
    assertThat(next().get("code").asText()).isEqualTo("overloaded");
    session.received(frame("echo", "x".repeat(100_000), "5"));
    assertThat(next().get("request_id").asInt()).isEqualTo(5);
    latch.countDown();
  }

  @Test
  void answersThatWaitForTheirTurnTakeNoMoreMemoryThanTheirBudget() throws Exception {
    FrameSession session = session(MessageBudget.of(BUDGET, BUDGET));
    session.received(frame("wait", "first"));
    for (int i = 0; i < 5; i++) {
      session.received(frame("large", "x"));
    }
    latch.countDown();

    assertThat(next().get("text").asText()).isEqualTo("first");
    for (int i = 0; i < 3; i++) {
      assertThat(next().path("text").asText()).as("answer " + i).isEqualTo(LARGE);
    }
    for (int i = 0; i < 2; i++) {
      JsonNode refused = next();
      assertThat(refused.get("code").asText()).isEqualTo("overloaded");
      assertThat(refused.get("message").asText()).contains("What was asked for has been done");
    }
    session.received(frame("large", "x"));
    assertThat(next().path("text").asText()).isEqualTo(LARGE);
  }

  @Test
  void aFrameThatNeverFindsRoomIsTooLargeAndNotOverloaded() throws Exception {
    FrameSession session = session(MessageBudget.of(BUDGET, BUDGET));
    session.received(frame("echo", "x".repeat((int) BUDGET / 5), "1"));
    JsonNode refused = next();
    assertThat(refused.get("code").asText()).isEqualTo("too_large");
    assertThat(refused.get("message").asText()).contains(BUDGET + " are the most");
    assertThat(refused.get("request_id").asInt()).isEqualTo(1);
  }
}
