package joshua.tasks.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.kernel.TimedWait;
import joshua.ssh.CommandHost;
import joshua.ssh.ExitStatus;
import joshua.tasks.TaskFixture;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TaskWork;
import joshua.testing.ManualTime;
import joshua.testing.RealRedis;
import joshua.testing.admins.ScriptedAdmin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verbs for tasks, as a script and a user see them (+JS-07). */
final class TaskVerbsTest {
  /** Terminal control sequences: colours, a title, a C1 sequence, and reversed text. */
  private static final String HOSTILE = "\033[31mred\033]0;mine\007 \u009b2J \u202eback";

  private static RealRedis redis;

  @TempDir Path directory;
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-31T12:00:00Z"));
  private final CountDownLatch go = new CountDownLatch(1);

  @BeforeAll
  static void startRedis() {
    redis = RealRedis.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  private TaskFixture stage(TaskWork work) throws Exception {
    return TaskFixture.on(redis, directory.resolve("fiedler_state.db"), time, work);
  }

  private CommandHost host(TaskFixture fixture) {
    return new CommandHost(
        "fiedler",
        TaskVerbs.of("fiedler", fixture.tools, time, TimedWait.system()),
        entry -> {},
        time);
  }

  private static final TaskWork ECHO =
      (task, tokenSink) -> {
        for (String word : task.prompt().split("(?<= )")) {
          tokenSink.token(word);
        }
        if (task.prompt().contains("fail")) {
          throw new IllegalStateException("it broke " + HOSTILE);
        }
        return TaskFixture.said(task.prompt()).put("stage", "dtr");
      };

  private TaskWork hanging() {
    return (task, tokenSink) -> {
      tokenSink.token("So far ");
      go.await();
      return TaskFixture.said("So far ");
    };
  }

  @Test
  void askStreamsTheAnswerAndTheTaskIsTheAskers() throws Exception {
    try (TaskFixture fixture = stage(ECHO)) {
      ScriptedAdmin ann = ScriptedAdmin.of(host(fixture), "ann", Role.OPERATOR);
      assertThat(ann.run("ask every good 'boy  does'")).isEqualTo(ExitStatus.OK);
      assertThat(ann.shown()).isEqualTo("every good boy  does\n");

      assertThat(ann.run("tasks -o json")).isEqualTo(ExitStatus.OK);
      JsonNode tasks = Json.parse(ann.shown());
      assertThat(tasks).hasSize(1);
      assertThat(tasks.path(0).path("requester_id").asText()).isEqualTo("ann");
      assertThat(ann.shown()).endsWith("]\n").doesNotContain("age");
    }
  }

  @Test
  void askGoesOnWithAConversation() throws Exception {
    try (TaskFixture fixture = stage(ECHO)) {
      ScriptedAdmin ann = ScriptedAdmin.of(host(fixture), "ann", Role.OPERATOR);
      UUID exchange = UUID.randomUUID();
      assertThat(ann.run("ask again --conversation " + exchange)).isEqualTo(ExitStatus.OK);
      ann.run("tasks -o json");
      UUID id = UUID.fromString(Json.parse(ann.shown()).path(0).path("task_id").asText());
      assertThat(fixture.task(id).conversationId()).isEqualTo(exchange);
      assertThat(ann.run("ask again --conversation 1-1-1-1-1")).isEqualTo(ExitStatus.USAGE);
      assertThat(ann.told()).isEqualTo("joshua: --conversation must be a UUID\n");
      assertThat(ann.run("ask")).isEqualTo(ExitStatus.USAGE);
    }
  }

  @Test
  void aFailureIsTheTasksSentenceAndExitStatusOne() throws Exception {
    try (TaskFixture fixture = stage(ECHO)) {
      ScriptedAdmin ann = ScriptedAdmin.of(host(fixture), "ann", Role.OPERATOR);
      assertThat(ann.run("ask fail")).isEqualTo(ExitStatus.REFUSED);
      assertThat(ann.shown()).isEqualTo("fail\n");
      assertThat(ann.told()).startsWith("joshua: ").contains("it broke").doesNotContain("\033");
    }
  }

  @Test
  void asJsonAnAnswerIsItsIdsAndAFrameALine() throws Exception {
    try (TaskFixture fixture = stage(ECHO)) {
      ScriptedAdmin ann = ScriptedAdmin.of(host(fixture), "ann", Role.OPERATOR);
      assertThat(ann.run("ask a b -o json")).isEqualTo(ExitStatus.OK);
      String[] lines = ann.shown().split("\n", -1);
      JsonNode pending = Json.parse(lines[0]);
      UUID id = UUID.fromString(pending.path("task_id").asText());
      assertThat(pending.path("status").asText()).isEqualTo("pending");
      assertThat(pending.path("conversation_id").asText())
          .isEqualTo(fixture.task(id).conversationId().toString());
      assertThat(pending.path("correlation_id").asText())
          .isEqualTo(fixture.task(id).correlationId().toString());
      String[] frames = Arrays.copyOfRange(lines, 1, lines.length);
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < frames.length - 1; i++) {
        JsonNode frame = Json.parse(frames[i]);
        assertThat(frame.path("sequence").asInt()).isEqualTo(i);
        text.append(frame.path("token").asText());
      }
      assertThat(text).hasToString("a b");
      assertThat(Json.parse(frames[frames.length - 2]).path("final").asBoolean()).isTrue();
      assertThat(frames[frames.length - 1]).isEmpty();
    }
  }

  @Test
  void oneTaskAsJsonIsWhatTheToolAnswers() throws Exception {
    try (TaskFixture fixture = stage(ECHO)) {
      UUID id = fixture.converse("hello");
      fixture.awaitEnd(id);
      ScriptedAdmin ann = ScriptedAdmin.of(host(fixture), "ann", Role.VIEWER);
      assertThat(ann.run("task " + id + " -o json")).isEqualTo(ExitStatus.OK);
      JsonNode answer = fixture.call("get_task_status", "{'task_id':'%s'}".formatted(id));
      assertThat(ann.shown()).isEqualTo(Json.write(answer) + "\n");
      String first = ann.shown();
      time.advance(Duration.ofHours(3));
      assertThat(ann.run("task " + id + " show -o json")).isEqualTo(ExitStatus.OK);
      assertThat(ann.shown()).isEqualTo(first);

      assertThat(ann.run("task " + id)).isEqualTo(ExitStatus.OK);
      assertThat(ann.shown())
          .contains("status          COMPLETED\n")
          .contains("text            hello\n")
          .contains("(3 h ago)");
    }
  }

  @Test
  void whatOthersWroteCannotReachTheTerminal() throws Exception {
    try (TaskFixture fixture = stage(ECHO)) {
      CommandHost host = host(fixture);
      ScriptedAdmin ann = ScriptedAdmin.of(host, "ann", Role.OPERATOR);
      assertThat(ann.run("ask '" + HOSTILE + "\nfail'")).isEqualTo(ExitStatus.REFUSED);
      harmless(ann);
      ann.run("tasks -o json");
      String id = Json.parse(ann.shown()).path(0).path("task_id").asText();
      for (String line :
          new String[] {"tasks", "tasks -o json", "task " + id, "task " + id + " -o json"}) {
        assertThat(ann.run(line)).isEqualTo(ExitStatus.OK);
        harmless(ann);
        assertThat(ann.shown()).containsIgnoringCase("\\u001b").contains("\\u009b", "\\u202e");
      }
      ann.run("task " + id + " tail");
      harmless(ann);
      ann.run("task " + id + " tail -o json");
      harmless(ann);
      assertThat(Json.parse(ann.shown().split("\n", -1)[0]).path("token").asText())
          .startsWith("\033[31mred");

      ScriptedAdmin person = ScriptedAdmin.atTerminal(host, "ann", Role.VIEWER, 200, 50);
      person.run("tasks");
      assertThat(person.shown()).contains("\033[31mFAILED\033[0m").doesNotContain("\033[31mred");
    }
  }

  private static ExitStatus ended(CompletableFuture<ExitStatus> status) {
    await().until(status::isDone);
    return status.join();
  }

  private static void harmless(ScriptedAdmin scriptedAdmin) {
    String all = scriptedAdmin.shown() + scriptedAdmin.told();
    assertThat(all.chars().filter(c -> c != '\n' && c != '\t'))
        .noneMatch(c ->
            Character.getType(c) == Character.CONTROL || Character.getType(c) == Character.FORMAT);
  }

  @Test
  void aViewerSeesHisOwnTasksOnlyAndChangesNothing() throws Exception {
    try (TaskFixture fixture = stage(ECHO)) {
      UUID anns = fixture.converse("hello");
      fixture.awaitEnd(anns);
      ScriptedAdmin bob = ScriptedAdmin.of(host(fixture), "bob", Role.VIEWER);
      assertThat(bob.run("tasks")).isEqualTo(ExitStatus.OK);
      assertThat(bob.shown()).isEqualTo("None.\n");
      assertThat(bob.run("tasks --requester ann")).isEqualTo(ExitStatus.REFUSED);
      assertThat(bob.run("task " + anns)).isEqualTo(ExitStatus.REFUSED);
      assertThat(bob.run("task " + anns + " tail")).isEqualTo(ExitStatus.REFUSED);
      assertThat(bob.run("task " + anns + " cancel")).isEqualTo(ExitStatus.REFUSED);
      assertThat(bob.told()).contains("needs the role operator, and yours is viewer");
      assertThat(bob.run("ask hello")).isEqualTo(ExitStatus.REFUSED);
      assertThat(bob.candidates("task")).doesNotContain(anns.toString());
      assertThat(bob.candidates()).contains("tasks", "task").doesNotContain("ask");
    }
  }

  @Test
  void onlyAnAdminAsksInAnothersName() throws Exception {
    try (TaskFixture fixture = stage(ECHO)) {
      CommandHost host = host(fixture);
      ScriptedAdmin operator = ScriptedAdmin.of(host, "oscar", Role.OPERATOR);
      assertThat(operator.run("ask hello --as ann")).isEqualTo(ExitStatus.REFUSED);
      assertThat(operator.told()).contains("needs the role admin");
      ScriptedAdmin admin = ScriptedAdmin.of(host, "alice", Role.ADMIN);
      assertThat(admin.run("ask hello --as ann")).isEqualTo(ExitStatus.OK);
      assertThat(admin.run("ask hello --as -ann")).isEqualTo(ExitStatus.USAGE);
      assertThat(admin.run("tasks --requester ann -o json")).isEqualTo(ExitStatus.OK);
      assertThat(Json.parse(admin.shown())).hasSize(1);
      assertThat(operator.run("tasks --requester alice")).isEqualTo(ExitStatus.OK);
      assertThat(operator.shown()).isEqualTo("None.\n");
    }
  }

  @Test
  void cancelEndsATaskAndNamesWhoWantedIt() throws Exception {
    try (TaskFixture fixture = stage(hanging())) {
      UUID id = fixture.converse("hang");
      fixture.awaitState(id, state -> state == TaskState.STREAMING);
      ScriptedAdmin oscar = ScriptedAdmin.of(host(fixture), "oscar", Role.OPERATOR);
      assertThat(oscar.run("task " + id + " cancel")).isEqualTo(ExitStatus.OK);
      assertThat(fixture.awaitEnd(id).error().orElseThrow().message()).contains("oscar");
      assertThat(oscar.run("task " + id + " cancel -o json")).isEqualTo(ExitStatus.REFUSED);
    }
  }

  @Test
  void whatIsWrittenWronglyIsRefusedByItsName() throws Exception {
    try (TaskFixture fixture = stage(ECHO)) {
      ScriptedAdmin ann = ScriptedAdmin.of(host(fixture), "ann", Role.ADMIN);
      assertThat(ann.run("tasks -n 201")).isEqualTo(ExitStatus.USAGE);
      assertThat(ann.told()).isEqualTo("joshua: -n must be 1 to 200\n");
      assertThat(ann.run("tasks -n 0")).isEqualTo(ExitStatus.USAGE);
      assertThat(ann.run("tasks --requester 'a b'")).isEqualTo(ExitStatus.USAGE);
      assertThat(ann.told()).startsWith("joshua: --requester must be");
      assertThat(ann.run("tasks --status LOST")).isEqualTo(ExitStatus.USAGE);
      assertThat(ann.run("task x")).isEqualTo(ExitStatus.USAGE);
      assertThat(ann.told()).isEqualTo("joshua: ID must be a UUID or the beginning of one\n");
      assertThat(ann.run("task " + UUID.randomUUID())).isEqualTo(ExitStatus.REFUSED);
    }
  }

  @Test
  void completionOffersTheNewestTasksAndWhatCanBeDone() throws Exception {
    try (TaskFixture fixture = stage(ECHO)) {
      UUID first = fixture.converse("one");
      UUID second = fixture.converse("two");
      ScriptedAdmin ann = ScriptedAdmin.of(host(fixture), "ann", Role.VIEWER);
      assertThat(ann.candidates("task")).startsWith(second.toString(), first.toString());
      assertThat(ann.candidates("task", first.toString())).startsWith("show", "tail", "cancel");
    }
  }

  @Test
  void whoStopsLookingLeavesTheTaskRunning() throws Exception {
    try (TaskFixture fixture = stage(hanging())) {
      ScriptedAdmin ann = ScriptedAdmin.of(host(fixture), "ann", Role.OPERATOR);
      CompletableFuture<ExitStatus> status = new CompletableFuture<>();
      Thread asking = Thread.ofVirtual().start(() -> status.complete(ann.run("ask hang")));
      await().until(() -> ann.shown().equals("So far "));
      asking.interrupt();
      assertThat(ended(status)).isEqualTo(ExitStatus.INTERRUPTED);
      UUID id = UUID.fromString(ann.candidates("task").getFirst());
      assertThat(fixture.task(id).state()).isEqualTo(TaskState.STREAMING);

      CompletableFuture<ExitStatus> again = new CompletableFuture<>();
      Thread.ofVirtual().start(() -> again.complete(ann.run("task " + id + " tail")));
      await().until(() -> ann.shown().equals("So far "));
      ann.leave();
      assertThat(ended(again)).isEqualTo(ExitStatus.OK);
      assertThat(fixture.task(id).state()).isEqualTo(TaskState.STREAMING);
      go.countDown();
      assertThat(fixture.awaitEnd(id).state()).isEqualTo(TaskState.COMPLETED);
    }
  }

  @Test
  void aTaskThatBeginsAnewIsShownFromItsBeginning() throws Exception {
    TaskFixture first = stage(hanging());
    UUID id = first.converse("hang");
    first.awaitState(id, state -> state == TaskState.STREAMING);
    try (TaskFixture next = stage(ECHO)) {
      ScriptedAdmin ann = ScriptedAdmin.of(host(next), "ann", Role.VIEWER);
      CompletableFuture<ExitStatus> status = new CompletableFuture<>();
      Thread.ofVirtual().start(() -> status.complete(ann.run("task " + id + " tail")));
      await().until(() -> ann.shown().equals("So far "));
      first.close();
      time.advance(Duration.ofMinutes(1));
      assertThat(ended(status)).isEqualTo(ExitStatus.OK);
      assertThat(ann.shown()).isEqualTo("So far \nhang\n");
      assertThat(ann.told()).contains("begins anew");
    }
  }

  @Test
  void aWatchedListGoesOnUntilNobodyReads() throws Exception {
    try (TaskFixture fixture = stage(ECHO)) {
      CountDownLatch twice = new CountDownLatch(2);
      TimedWait counted =
          duration -> {
            twice.countDown();
            TimedWait.system().pause(Duration.ofMillis(5));
          };
      CommandHost host =
          new CommandHost(
              "fiedler", TaskVerbs.of("fiedler", fixture.tools, time, counted), entry -> {}, time);
      ScriptedAdmin ann = ScriptedAdmin.atTerminal(host, "ann", Role.VIEWER, 200, 50);
      CompletableFuture<ExitStatus> status = new CompletableFuture<>();
      Thread.ofVirtual().start(() -> status.complete(ann.run("tasks -w")));
      twice.await();
      fixture.converse("now there is one");
      await().until(() -> ann.shown().contains("now there is one"));
      ann.leave();
      assertThat(ended(status)).isEqualTo(ExitStatus.OK);
      assertThat(ann.shown()).contains("\033[H\033[2J");
    }
  }
}
