package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.network.JsonSchema;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskError;
import joshua.tasks.model.TaskKind;
import joshua.tasks.model.TaskState;
import joshua.tasks.query.TaskQueries;
import joshua.tasks.query.TaskQuerySpecs;
import joshua.tasks.store.TaskHistory;
import joshua.tasks.tool.ConverseWork;
import joshua.testing.ManualTime;
import joshua.testing.RealRedis;
import joshua.thought.PromptReader;
import joshua.thought.PromptReading;
import joshua.thought.Query;
import joshua.thought.QueryWhitelist;
import joshua.thought.ThoughtEngine;
import joshua.thought.UserPrompt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prompts that are answered or refused without a language model (wire contract §3). */
final class OfflineTest {
  private static RealRedis redis;

  @TempDir Path directory;
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-31T12:00:00Z"));
  private TaskFixture fixture;

  @BeforeAll
  static void startRedis() {
    redis = RealRedis.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  @BeforeEach
  void open() throws Exception {
    PromptReader promptReader =
        userPrompt ->
            switch (userPrompt.text()) {
              case "cancel it" ->
                  new PromptReading.Declined(List.of("Nothing was done.", "So."), "wish");
              case "help" -> new PromptReading.Said(List.of("Ask."), "help");
              default -> new PromptReading.PassedOn();
            };
    QueryWhitelist none = new QueryWhitelist(List.of(), schema -> new JsonSchema(schema)::problem);
    ThoughtEngine engine =
        new ThoughtEngine(none, promptReader, _ -> new PromptReading.PassedOn(), Optional.empty());
    fixture = TaskFixture.on(redis, directory.resolve("t.db"), time, new ConverseWork(engine));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Task asked(String prompt, String more) throws Exception {
    JsonNode answer =
        fixture.call("converse", "{'prompt':'%s','requester_id':'ann'%s}".formatted(prompt, more));
    return fixture.awaitEnd(UUID.fromString(answer.path("task_id").asText()));
  }

  private JsonNode rows(String query) throws Exception {
    Query found =
        TaskQueries.on(
                fixture.database,
                time,
                List.of(TaskQuerySpecs.FAILURE_REASONS, TaskQuerySpecs.FAILURES))
            .stream()
            .filter(each -> each.spec().name().equals(query))
            .findFirst()
            .orElseThrow();
    return found.run(
        Json.object(), new UserPrompt("?", "ann", UUID.randomUUID(), UUID.randomUUID()));
  }

  @Test
  void aRefusalToActIsFailedWithItsSentenceAndCountsAsNoFailure() throws Exception {
    Task refused = asked("cancel it", "");
    assertThat(refused.state()).isEqualTo(TaskState.FAILED);
    assertThat(refused.error()).contains(new TaskError("Nothing was done. So.", ""));
    assertThat(refused.isCancelled()).isFalse();
    assertThat(refused.kind()).isEqualTo(TaskKind.QUESTION);
    JsonNode state = fixture.call("get_task_status", "{'task_id':'%s'}".formatted(refused.id()));
    assertThat(state.at("/error_details/stack_trace").asText("?")).isEmpty();
    assertThat(rows("failure_reasons")).isEmpty();
    assertThat(rows("failures")).isEmpty();
  }

  @Test
  void workThatNeedsAModelIsWorkThatFailed() throws Exception {
    Task refused = asked("write a poem", "");
    assertThat(refused.error().orElseThrow().message()).contains("none is configured");
    assertThat(refused.error().orElseThrow().stackTrace()).isEmpty();
    assertThat(refused.kind()).isEqualTo(TaskKind.WORK);
    assertThat(rows("failure_reasons")).hasSize(1);
  }

  @Test
  void whoWantsNoModelPutsAQuestionAndWhoWantsOneGetsNoHelp() throws Exception {
    Task only = asked("write a poem", ",'offline':'only'");
    assertThat(only.error().orElseThrow().message()).contains("offline is \"only\"");
    assertThat(only.error().orElseThrow().stackTrace()).isEmpty();
    assertThat(only.kind()).isEqualTo(TaskKind.QUESTION);
    assertThat(asked("help", ",'offline':'only'").state()).isEqualTo(TaskState.COMPLETED);
    assertThat(asked("help", ",'offline':'auto'").state()).isEqualTo(TaskState.COMPLETED);
    Task never = asked("help", ",'offline':'never'");
    assertThat(never.error().orElseThrow().message()).contains("none is configured");
    JsonNode wrong =
        fixture.call("converse", "{'prompt':'p','requester_id':'ann','offline':'maybe'}");
    assertThat(wrong.path("code").asText()).isEqualTo("invalid_input");
    assertThat(wrong.path("message").asText()).contains("offline");
  }

  @Test
  void anIdempotencyKeyStandsForTheModeToo() throws Exception {
    UUID first = asked("help", ",'idempotency_key':'k'").id();
    assertThat(asked("help", ",'idempotency_key':'k','offline':'auto'").id()).isEqualTo(first);
    JsonNode other =
        fixture.call(
            "converse",
            "{'prompt':'help','requester_id':'ann','idempotency_key':'k','offline':'only'}");
    assertThat(other.path("code").asText()).isEqualTo("conflict");
  }

  @Test
  void aConversationHasWorkOnceSomeOfItHasEnded() throws Exception {
    TaskHistory history = new TaskHistory(fixture.database);
    Task question = asked("help", "");
    UserPrompt next = new UserPrompt("p", "ann", question.conversationId(), UUID.randomUUID());
    assertThat(history.hasWork(next)).isFalse();
    asked("write a poem", ",'conversation_id':'%s'".formatted(question.conversationId()));
    assertThat(history.hasWork(next)).isTrue();
    assertThat(
            history.hasWork(
                new UserPrompt("p", "bob", question.conversationId(), UUID.randomUUID())))
        .isFalse();
  }
}
