package joshua.thought.langchain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.testing.ManualTime;
import joshua.testing.ModelDialect;
import joshua.testing.ModelServer;
import joshua.thought.model.ModelConfig;
import joshua.thought.model.ModelProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A scripted server, and models that ask it. */
abstract class ScriptedModels {
  /** A test by each of the three dialects. */
  @Retention(RetentionPolicy.RUNTIME)
  @ParameterizedTest
  @EnumSource
  @interface DialectTest {}

  static final String KEY = "sk-a-secret-key";
  static final ChatRequest REQUEST =
      ChatRequest.builder().messages(UserMessage.from("Say hello")).build();
  static final Duration PATIENT = Duration.ofMinutes(5);

  final ManualTime time = new ManualTime(Instant.parse("2026-11-18T12:00:00Z"));
  final List<Duration> pauses = new ArrayList<>();
  final StringBuilder text = new StringBuilder();
  final List<Models> open = new ArrayList<>();
  ModelServer server;
  @Nullable Path keyFile;

  @BeforeEach
  void start() throws IOException {
    server = new ModelServer();
  }

  @AfterEach
  void stop() throws IOException {
    open.forEach(Models::close);
    server.close();
  }

  Models models(ModelDialect dialect, Duration silence) {
    return models(dialect, dialect.url(server), silence);
  }

  Models models(ModelDialect dialect, String url, Duration silence) {
    return models(config(dialect, url, silence));
  }

  ModelConfig config(ModelDialect dialect, String url, Duration silence) {
    return new ModelConfig(
        ModelProvider.valueOf(dialect.name()),
        List.of("m"),
        Optional.of(URI.create(url)),
        Optional.of(KEY),
        Optional.ofNullable(keyFile),
        silence,
        2,
        1_000,
        10_000,
        "JOSHUA_MODEL_");
  }

  Models models(ModelConfig config) {
    Models models = new Models(config, time, pauses::add);
    open.add(models);
    return models;
  }

  ChatResponse ask(Models models) throws Exception {
    text.setLength(0);
    return models.ask("m", REQUEST, text::append);
  }

  ChatResponse ask(ModelDialect dialect) throws Exception {
    return ask(models(dialect, PATIENT));
  }

  Throwable failure(ModelDialect dialect) {
    return catchThrowable(() -> ask(dialect));
  }

  /** After a failure, the same models answer. */
  void failsWith(ModelDialect dialect, String... sentences) throws Exception {
    Models models = models(dialect, PATIENT);
    Throwable failed = catchThrowable(() -> ask(models));
    assertThat(failed).isInstanceOf(ModelFailedException.class);
    for (String sentence : sentences) {
      assertThat(failed).hasMessageContaining(sentence);
    }
    assertThat(failed).hasMessageNotContaining(KEY);
    server.then(dialect.answer("Hel", "lo"));
    ask(models);
    assertThat(text).hasToString("Hello");
  }
}
