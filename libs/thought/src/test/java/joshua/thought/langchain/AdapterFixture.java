package joshua.thought.langchain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import joshua.testing.ManualTime;
import joshua.testing.ModelDialect;
import joshua.testing.ScriptedModelServer;
import joshua.thought.LanguageModels;
import joshua.thought.ModelAnswer;
import joshua.thought.ModelConfig;
import joshua.thought.ModelFailedException;
import joshua.thought.ModelLimits;
import joshua.thought.Secret;
import joshua.thought.StageDeadline;
import joshua.thought.ThoughtFailedException;
import joshua.thought.TokenListener;
import org.junit.jupiter.api.AfterEach;

/** Models that send requests to a {@link ScriptedModelServer}. */
abstract class AdapterFixture {
  static final String KEY = "sk-very-secret-0123456789";
  static final Duration LONG = Duration.ofSeconds(60);

  final ManualTime time = new ManualTime(Instant.parse("2026-11-18T12:00:00Z"));
  final List<Duration> pauses = new ArrayList<>();
  final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
  }

  ScriptedModelServer server() throws Exception {
    ScriptedModelServer server = new ScriptedModelServer();
    open.add(server);
    return server;
  }

  static ModelLimits limits(Duration firstToken, Duration gap, Duration answer, int retries) {
    return new ModelLimits(LONG, firstToken, gap, answer, retries, 1_000, 16_000);
  }

  static ModelLimits patient() {
    return limits(LONG, LONG, LONG, 0);
  }

  LanguageModels models(ModelDialect dialect, ScriptedModelServer server, ModelLimits limits) {
    ModelConfig config =
        new ModelConfig(
            dialect.provider,
            List.of("test-model", "other-model"),
            Optional.of(server.url(dialect.base)),
            new Secret(KEY),
            limits);
    LanguageModels languageModels =
        LangChainModels.open(
            config,
            new LanguageModels.Patience(time, System::nanoTime, pauses::add, new Random(1)));
    open.add(languageModels);
    return languageModels;
  }

  static ModelAnswer ask(LanguageModels languageModels)
      throws ThoughtFailedException, InterruptedException {
    return languageModels.ask(
        "test-model", "Hello?", List.of(), StageDeadline.in(LONG), new Heard());
  }

  /** Asserts that the next prompt is answered, whatever happened to the one before. */
  static void worksAgain(
      LanguageModels languageModels, ScriptedModelServer server, ModelDialect dialect)
      throws Exception {
    assertThat(ask(languageModels).text()).isEqualTo("Hello");
  }

  /** A listener that keeps its events. */
  static class Heard implements TokenListener {
    final List<String> tokens = new ArrayList<>();
    int workings;

    @Override
    public void token(String text) throws InterruptedException {
      tokens.add(text);
    }

    @Override
    public void working() {
      workings++;
    }
  }

  ThoughtFailedException failure(LanguageModels languageModels) {
    ThoughtFailedException failed =
        catchThrowableOfType(ThoughtFailedException.class, () -> ask(languageModels));
    assertThat(failed).isNotNull();
    StringWriter stack = new StringWriter();
    failed.printStackTrace(new PrintWriter(stack, true));
    assertThat(stack.toString()).doesNotContain(KEY);
    return failed;
  }

  static ModelFailedException.Kind kind(ThoughtFailedException failed) {
    return ((ModelFailedException) failed.getCause()).kind();
  }

  /** One failure with these limits, then an answer: from the same models when limits are long. */
  ThoughtFailedException fails(
      ModelDialect dialect, ModelLimits limits, ScriptedModelServer.Act act) throws Exception {
    ScriptedModelServer server = server().then(act);
    LanguageModels languageModels = models(dialect, server, limits);
    ThoughtFailedException failed = failure(languageModels);
    assertThat(failed)
        .hasMessageStartingWith(dialect.name().toLowerCase(java.util.Locale.ROOT) + " at 127.0.0.1")
        .hasMessageContaining("test-model");
    server.then(dialect.answer("Hel", "lo"));
    worksAgain(languageModels, server, dialect);
    return failed;
  }

  ThoughtFailedException status(ModelDialect dialect, String line, String headers, String body)
      throws Exception {
    return fails(dialect, patient(), exchange -> exchange.status(line, headers, body));
  }
}
