package joshua.fiedler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import joshua.conversation.ConversationBus;
import joshua.conversation.Participant;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisLink;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.kernel.TimedWait;
import joshua.network.ToolRegistry;
import joshua.ssh.CommandHost;
import joshua.ssh.ExitStatus;
import joshua.ssh.StateView;
import joshua.state.Database;
import joshua.tasks.TasksConfig;
import joshua.testing.RealRedis;
import joshua.testing.admins.ScriptedAdmin;
import joshua.thought.AnswerUsage;
import joshua.thought.LanguageModel;
import joshua.thought.LanguageModels;
import joshua.thought.ModelCompletion;
import joshua.thought.ModelLimits;
import joshua.thought.ModelRequest;
import joshua.thought.SystemPrompt;
import joshua.thought.TokenListener;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fiedler's commands and the parts of its state, on a real bus and database (+JS-07). */
final class FiedlerVerbsTest {
  private static final Instant BEGUN = Instant.parse("2026-11-22T08:00:00Z");

  private static RealRedis redis;

  @TempDir Path directory;
  private final InstantSource time = InstantSource.system();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  /** A model of that name, which answers hello. */
  private record Polite(String name) implements LanguageModel {
    @Override
    public String provider() {
      return "test";
    }

    @Override
    public ModelCompletion complete(ModelRequest request, TokenListener listener)
        throws InterruptedException {
      listener.token("hello");
      return new ModelCompletion(
          "hello", List.of(), ModelCompletion.Finish.DONE, new AnswerUsage(1, 1, 1, 1));
    }
  }

  @BeforeAll
  static void startRedis() {
    redis = RealRedis.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  private ConversationBus bus() throws Exception {
    RedisAddress address =
        RedisAddress.of(
            redis.url(), Optional.of(redis.password()), Optional.empty(), Duration.ofSeconds(20));
    return new ConversationBus(
            new Participant("fiedler", "test-instance", "test", time.instant()),
            new RedisLink("fiedler", address, TimedWait.system(), time),
            time,
            1 << 20,
            meters,
            ConversationBus::noDetail)
        .open();
  }

  private static LanguageModels models(String... names) {
    Duration long_ = Duration.ofMinutes(1);
    ModelLimits limits = new ModelLimits(long_, long_, long_, long_, 0, 1_000, 10_000);
    List<LanguageModel> all = List.of(names).stream().<LanguageModel>map(Polite::new).toList();
    return new LanguageModels(
        limits,
        all,
        new LanguageModels.Patience(
            InstantSource.system(), System::nanoTime, TimedWait.system(), new Random(1)),
        () -> {});
  }

  /** The part of a test that uses a running Fiedler. */
  private interface Visit {
    void with(Fiedler fiedler, CommandHost host) throws Exception;
  }

  private void visit(LanguageModels languageModels, Visit visit) throws Exception {
    TasksConfig limits =
        new TasksConfig(
            16,
            10_000,
            Duration.ofHours(1),
            2,
            Duration.ofDays(30),
            1L << 30,
            1 << 20,
            1 << 20,
            List.of());
    try (Database database =
            Database.open(directory.resolve("fiedler_state.db"), Fiedler.migrations(), meters);
        ConversationBus bus = bus();
        Fiedler fiedler =
            new Fiedler(
                new FiedlerConfig(limits, SystemPrompt.of(Fiedler.class), "test", BEGUN),
                database,
                bus,
                languageModels,
                text -> {
                  throw new IllegalStateException("no vectors here");
                },
                time,
                TimedWait.system(),
                meters)) {
      fiedler.start();
      ToolRegistry registry = new ToolRegistry(fiedler.tools(), meters, time);
      visit.with(fiedler, new CommandHost("fiedler", fiedler.verbs(registry), entry -> {}, time));
    }
  }

  private static ScriptedAdmin run(CommandHost host, Role role, ExitStatus status, String line) {
    ScriptedAdmin scriptedAdmin = ScriptedAdmin.of(host, "ann", role);
    assertThat(scriptedAdmin.run(line)).as(scriptedAdmin.told()).isEqualTo(status);
    return scriptedAdmin;
  }

  private static JsonNode state(Fiedler fiedler, String name) {
    return fiedler.states().stream()
        .filter(view -> view.name().equals(name))
        .map(StateView::json)
        .findFirst()
        .orElseThrow()
        .get();
  }

  @Test
  void modelsAreListedAsTheToolListsThem() throws Exception {
    visit(
        models("gpt-first", "gpt-second"),
        (fiedler, host) -> {
          ScriptedAdmin json = run(host, Role.VIEWER, ExitStatus.OK, "models -o json");
          assertThat(json.shown())
              .isEqualTo(
                  "[{\"model\":\"gpt-first\",\"provider\":\"test\"},{\"model\":\"gpt-second\",\"provider\":\"test\"}]\n");
          assertThat(run(host, Role.VIEWER, ExitStatus.OK, "models").shown())
              .contains("gpt-first   test\n");
          assertThat(state(fiedler, "models").path(0).path("answers_converse").asBoolean())
              .isTrue();
        });
  }

  @Test
  void withoutAModelThatIsSaid() throws Exception {
    visit(
        LanguageModels.none(),
        (fiedler, host) -> {
          assertThat(run(host, Role.VIEWER, ExitStatus.OK, "models").shown())
              .contains("None is configured");
          assertThat(run(host, Role.VIEWER, ExitStatus.OK, "models -o json").shown())
              .isEqualTo("[]\n");
        });
  }

  @Test
  void whatIsOnlyLookedUpIsNotCountedInHisState() throws Exception {
    visit(
        models("gpt-first"),
        (fiedler, host) -> {
          run(host, Role.OPERATOR, ExitStatus.OK, "ask queue");
          ObjectNode tasks = (ObjectNode) state(fiedler, "tasks");
          assertThat(Json.write(tasks))
              .isEqualTo(
                  "{\"pending\":0,\"running\":0,\"streaming\":0,\"completed\":0,\"failed\":0,\"running_now\":[]}");
          assertThat(state(fiedler, "queue").path("may_run_at_once").asInt()).isEqualTo(16);
          assertThat(state(fiedler, "queue").path("waiting").asInt()).isZero();
        });
  }
}
