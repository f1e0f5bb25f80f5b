package joshua.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

class FrameSessionTest {
  private static final long BUDGET = 1 << 20;
  private static final long PLENTY = 256L << 20;

  private final LinkedBlockingQueue<String> sent = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<String> began = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<ErrorCode> endings = new LinkedBlockingQueue<>();
  private final CountDownLatch latch = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private final AtomicLong nanos = new AtomicLong();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  private final MessageSink messageSink =
      new MessageSink() {
        @Override
        public void send(String message) {
          sent.add(message);
        }

        @Override
        public void end(ErrorCode code, String reason) {
          endings.add(code);
        }
      };

  private final ToolRegistry tools =
      new ToolRegistry(
          ScriptedTool.list(
              ScriptedTool.echo(),
              ScriptedTool.waiting(began, latch),
              ScriptedTool.of(
                  "break",
                  call -> {
                    throw new IllegalStateException("secret detail");
                  }),
              ScriptedTool.matching("match", "^(a|b)*$"),
              ScriptedTool.of(
                  "break_later",
                  call ->
                      () -> {
                        throw new IllegalStateException("secret detail");
                      }),
              ScriptedTool.of(
                  "refuse",
                  call ->
                      Tool.Answer.of(
                          new ToolResult.Refused(
                              Refusal.of(ErrorCode.CONFLICT, "No.")
                                  .with("gap", Json.object().put("missed", 1))))),
              ScriptedTool.of(
                  "hang",
                  call ->
                      () -> {
                        try {
                          new CountDownLatch(1).await();
                          throw new AssertionError("nobody counts it down");
                        } catch (InterruptedException e) {
                          interrupted.countDown();
                          throw e;
                        }
                      })),
          meters,
          InstantSource.system());

  private Optional<Caller> caller =
      Optional.of(new Caller(Optional.empty(), Role.ADMIN, "connection-1"));

  private final FrameSession session = session(1_000_000);

  private FrameSession session(int perSecond) {
    return session(tools, perSecond, MessageBudget.of(PLENTY, PLENTY));
  }

  private FrameSession session(ToolSet offered, int perSecond, MessageBudget budget) {
    return new FrameSession(
        offered, () -> caller, new RateLimit(perSecond, nanos::get), messageSink, budget);
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
  void theAnswerIsTheToolsOutputAndNothingElse() throws Exception {
    session.received(frame("echo", "hello"));
    assertThat(sent.poll(5, TimeUnit.SECONDS))
        .isEqualTo("{\"status\":\"success\",\"text\":\"hello\"}");
  }

  @Test
  void aRequestIdOfAnyTypeIsEchoed() throws Exception {
    for (String id : new String[] {"7", "\"a\"", "null", "[1,{\"b\":2.50}]", "1e400"}) {
      session.received(frame("echo", "x", id));
      assertThat(next().get("request_id")).isEqualTo(Json.parse(id));
    }
  }

  @Test
  void framesAreExecutedInOrderAndAnswersWithoutIdKeepIt() throws Exception {
    session.received(frame("wait", "1"));
    session.received(frame("wait", "2"));
    session.received(frame("echo", "3"));
    session.received("nonsense");
    assertThat(began).containsExactly("1", "2");
    assertThat(sent).isEmpty();
    latch.countDown();
    assertThat(next().get("text").asText()).isEqualTo("1");
    assertThat(next().get("text").asText()).isEqualTo("2");
    assertThat(next().get("text").asText()).isEqualTo("3");
    assertThat(next().get("code").asText()).isEqualTo("invalid_json");
    await().until(session::idle);
  }

  @Test
  void answersWithAnIdComeAsTheyAreReady() throws Exception {
    session.received(frame("wait", "slow", "1"));
    session.received(frame("wait", "slow"));
    session.received(frame("echo", "quick", "2"));
    assertThat(next().get("request_id").asInt()).isEqualTo(2);
    latch.countDown();
    assertThat(next().get("text").asText()).isEqualTo("slow");
  }

  @Test
  void whatIsNoCallIsRefusedWithASentenceThatNamesTheMember() throws Exception {
    String[][] cases = {
      {"{", "invalid_json", "The frame is not valid JSON at line 1, column 2."},
      {
        "[".repeat(65) + "]".repeat(65),
        "invalid_json",
        "The frame is nested more than 64 levels deep; send flatter values."
      },
      {"[]", "invalid_input", "the frame must be an object with tool_name and tool_input"},
      {"{}", "invalid_input", "tool_name is required"},
      {"{\"tool_name\":1}", "invalid_input", "tool_name must be a string"},
      {"{\"tool_name\":\"echo\"}", "invalid_input", "tool_input is required"},
      {
        "{\"tool_name\":\"echo\",\"tool_input\":[]}",
        "invalid_input",
        "tool_input must be an object"
      },
      {"{\"tool_name\":\"echo\",\"tool_input\":{}}", "invalid_input", "text is required"},
      {
        "{\"tool_name\":\"echo\",\"tool_input\":{\"text\":\"a\",\"txt\":1}}",
        "invalid_input",
        "txt is not a member of the input"
      },
      {
        "{\"tool_name\":\"gone\",\"tool_input\":{}}",
        "unknown_tool",
        "There is no tool of that name."
      },
    };
    for (String[] one : cases) {
      session.received(one[0]);
      JsonNode answer = next();
      assertThat(answer.get("status").asText()).isEqualTo("error");
      assertThat(answer.get("code").asText()).isEqualTo(one[1]);
      assertThat(answer.get("message").asText()).startsWith(one[2]);
    }
    session.received("{\"request_id\":4}");
    assertThat(next().get("request_id").asInt()).isEqualTo(4);
  }

  @Test
  void aRefusalCarriesItsDetails() throws Exception {
    session.received(frame("refuse", "x", "9"));
    assertThat(sent.poll(5, TimeUnit.SECONDS))
        .isEqualTo(
            "{\"status\":\"error\",\"code\":\"conflict\",\"message\":\"No.\",\"gap\":{\"missed\":1},\"request_id\":9}");
  }

  @Test
  void aToolThatThrowsIsInternalWithTheCorrelationIdAndNoInternals() throws Exception {
    String correlation = "0198c0de-0000-7000-8000-000000000001";
    for (String tool : new String[] {"break", "break_later"}) {
      session.received(
          "{\"tool_name\":\"%s\",\"tool_input\":{\"text\":\"\",\"correlation_id\":\"%s\"}}"
              .formatted(tool, correlation));
      JsonNode answer = next();
      assertThat(answer.get("code").asText()).isEqualTo("internal");
      assertThat(answer.get("correlation_id").asText()).isEqualTo(correlation);
      assertThat(answer.toString()).doesNotContain("secret", "Exception");
    }
  }

  @Test
  void aCheckThatBreaksIsInternalWithTheCorrelationId() throws Exception {
    session.received(frame("match", "a".repeat(200_000)));
    JsonNode answer = next();
    assertThat(answer.get("code").asText()).isEqualTo("internal");
    assertThat(answer.get("correlation_id").asText()).isNotEmpty();
    assertThat(session.idle()).isTrue();
  }

  @Test
  void whateverToolsThrowTheCallIsAnsweredAndItsMemoryGivenBack() throws Exception {
    MessageBudget budget = MessageBudget.of(BUDGET, BUDGET);
    FrameSession broken = session(new BrokenTools(tools), 1_000_000, budget);
    for (String tool : new String[] {"now", "later"}) {
      broken.received(frame(tool, "x"));
      JsonNode answer = next();
      assertThat(answer.get("code").asText()).isEqualTo("internal");
      assertThat(answer.toString()).doesNotContain("secret", "Exception");
      await().until(broken::idle);
      assertThat(budget.taken()).isZero();
    }
  }

  /** Throws where tools may not. */
  private record BrokenTools(ToolSet others) implements ToolSet {
    @Override
    public List<ToolSpec> specs() {
      return others.specs();
    }

    @Override
    public Optional<ToolSpec> spec(String name) {
      return others.spec(name);
    }

    @Override
    public Tool.Answer begin(
        String name, ObjectNode input, Caller caller, CallContext callContext) {
      if (name.equals("now")) {
        throw new NoClassDefFoundError("secret detail");
      }
      return () -> {
        throw new IllegalStateException("secret detail");
      };
    }

    @Override
    public void countRefusal(ErrorCode code) {
      others.countRefusal(code);
    }
  }

  @Test
  @TriesLimit("http.calls-of-a-socket")
  void oneCallTooManyIsOverloaded() throws Exception {
    for (int i = 0; i <= FrameSession.MAX_IN_FLIGHT; i++) {
      session.received(frame("wait", "x", "1"));
    }
    assertThat(next().get("code").asText()).isEqualTo("overloaded");
    latch.countDown();
    await().until(session::idle);
    assertThat(endings).isEmpty();
  }

  @Test
  void refusalsThatCannotBeSentAreBoundedToo() throws Exception {
    for (int i = 0; i <= FrameSession.MAX_UNSENT; i++) {
      session.received(frame("wait", "x"));
    }
    assertThat(sent).isEmpty();
    assertThat(endings.poll(5, TimeUnit.SECONDS)).isEqualTo(ErrorCode.OVERLOADED);
    latch.countDown();
  }

  @Test
  void nonsenseCountsAsACallWhenTheRateIsLimited() throws Exception {
    FrameSession limited = session(1);
    limited.received("nonsense");
    limited.received("nonsense");
    limited.received("nonsense");
    assertThat(next().get("code").asText()).isEqualTo("invalid_json");
    assertThat(next().get("code").asText()).isEqualTo("invalid_json");
    assertThat(next().get("code").asText()).isEqualTo("rate_limited");
  }

  @Test
  @TriesLimit("http.rate")
  void fasterThanTheLimitIsRateLimitedUntilTimeHasPassed() throws Exception {
    FrameSession limited = session(1);
    limited.received(frame("echo", "1"));
    limited.received(frame("echo", "2"));
    limited.received(frame("echo", "3"));
    assertThat(next().has("code")).isFalse();
    assertThat(next().has("code")).isFalse();
    JsonNode refusal = next();
    assertThat(refusal.get("code").asText()).isEqualTo("rate_limited");
    assertThat(refusal.get("retry_after_ms").asLong()).isEqualTo(1000);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    limited.received(frame("echo", "4"));
    assertThat(next().has("code")).isFalse();
  }

  @Test
  void theEndOfTheConnectionInterruptsWhatStillWorksForIt() throws Exception {
    session.received(frame("hang", "x"));
    assertThat(session.idle()).isFalse();
    session.ended();
    assertThat(interrupted.await(5, TimeUnit.SECONDS)).isTrue();
    await().until(session::idle);
    assertThat(sent).isEmpty();
  }

  @Test
  void aViewerMayNotCallWhatChangesSomething() throws Exception {
    caller = Optional.of(new Caller(Optional.of("eve"), Role.VIEWER, "connection-1"));
    session.received(frame("echo", "x"));
    assertThat(next().get("code").asText()).isEqualTo("forbidden");
  }

  @Test
  void aRevokedTokenEndsTheConnection() {
    caller = Optional.empty();
    session.received(frame("echo", "x"));
    assertThat(endings).containsExactly(ErrorCode.UNAUTHENTICATED);
    assertThat(sent).isEmpty();
  }

  @Test
  void callsAreCountedByToolAndOutcome() throws Exception {
    session.received(frame("echo", "x"));
    session.received(frame("gone", "x"));
    assertThat(next().has("code")).isFalse();
    assertThat(
            meters
                .get("joshua.tool.calls")
                .tags("tool", "echo", "outcome", "success")
                .timer()
                .count())
        .isEqualTo(1);
    assertThat(
            meters
                .get("joshua.tool.calls")
                .tags("tool", "?", "outcome", "unknown_tool")
                .timer()
                .count())
        .isEqualTo(1);
  }
}
