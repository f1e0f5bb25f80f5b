package joshua.thought.langchain;

import static org.assertj.core.api.Assertions.assertThat;

import joshua.testing.ModelDialect;
import joshua.testing.ScriptedModelServer;
import joshua.thought.LanguageModels;
import joshua.thought.ModelFailedException.Kind;
import joshua.thought.ThoughtFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that answers 200 and then sends an error as an event. */
class ErrorEventTest extends AdapterFixture {
  private static ScriptedModelServer.Act sends(ModelDialect dialect, String events) {
    return exchange -> {
      exchange.open(dialect.contentType);
      exchange.chunk(events);
      exchange.end();
    };
  }

  @ParameterizedTest
  @EnumSource
  void beforeTheFirstTokenTheServerIsAskedAgain(ModelDialect dialect) throws Exception {
    String error = dialect.begin() + dialect.error("overloaded_error", "Overloaded");
    ScriptedModelServer server =
        server().then(sends(dialect, error)).then(dialect.answer("Hel", "lo"));
    LanguageModels languageModels = models(dialect, server, limits(LONG, LONG, LONG, 1));
    worksAgain(languageModels, server, dialect);
    assertThat(pauses).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void behindATokenItIsTheFailureAndQuoted(ModelDialect dialect) throws Exception {
    String error = dialect.token("Hel") + dialect.error("server_error", "The runner\nhas stopped");
    ThoughtFailedException failed =
        fails(dialect, limits(LONG, LONG, LONG, 1), sends(dialect, dialect.begin() + error));
    assertThat(kind(failed)).isEqualTo(Kind.OVERLOADED);
    assertThat(failed).hasMessageContaining("is in trouble (\"The runner has stopped\")");
    assertThat(pauses).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "OPENAI, rate_limit_exceeded, RATE_LIMITED",
    "OPENAI, insufficient_quota, RATE_LIMITED",
    "OPENAI, invalid_request_error, REFUSED",
    "OPENAI, something_new, OVERLOADED",
    "ANTHROPIC, overloaded_error, OVERLOADED",
    "ANTHROPIC, rate_limit_error, RATE_LIMITED",
    "ANTHROPIC, api_error, OVERLOADED",
    "ANTHROPIC, not_found_error, REFUSED",
  })
  void itsTypeSaysWhatItIs(ModelDialect dialect, String type, Kind kind) throws Exception {
    ThoughtFailedException failed =
        fails(dialect, patient(), sends(dialect, dialect.error(type, "that's it")));
    assertThat(kind(failed)).isEqualTo(kind);
    assertThat(failed).hasMessageContaining("(\"that's it\")");
  }

  @ParameterizedTest
  @CsvSource({
    "429, RATE_LIMITED",
    "502, OVERLOADED",
    "'\"401\"', UNAUTHENTICATED",
    "'\"model_not_found\"', REFUSED",
    "77, OVERLOADED",
    "{}, OVERLOADED"
  })
  void orItsCodeDoes(String code, Kind kind) throws Exception {
    String event =
        "data: {\"choices\":[],\"error\":{\"code\":%s,\"message\":\"no\"}}\n\n".formatted(code);
    ThoughtFailedException failed =
        fails(ModelDialect.OPENAI, patient(), sends(ModelDialect.OPENAI, event));
    assertThat(kind(failed)).isEqualTo(kind);
  }

  @Test
  void aRefusedKeyIsNotQuoted() throws Exception {
    String event = ModelDialect.ANTHROPIC.error("authentication_error", "not sk-very-sec…: " + KEY);
    ThoughtFailedException failed =
        fails(ModelDialect.ANTHROPIC, patient(), sends(ModelDialect.ANTHROPIC, event));
    assertThat(kind(failed)).isEqualTo(Kind.UNAUTHENTICATED);
    assertThat(failed)
        .hasMessageContaining("refused the API key")
        .hasMessageNotContaining("sk-very");
  }

  @ParameterizedTest
  @EnumSource
  void tokensThatSpeakOfErrorsAreTokens(ModelDialect dialect) throws Exception {
    ScriptedModelServer server =
        server().then(dialect.answer("{\"error\":", "\"no\"} or \"error\""));
    assertThat(ask(models(dialect, server, patient())).text())
        .isEqualTo("{\"error\":\"no\"} or \"error\"");
  }

  @Test
  void anErrorThatIsNullIsNone() throws Exception {
    String event =
        ModelDialect.OPENAI.token("Hello").replace("\"choices\"", "\"error\":null,\"choices\"");
    ScriptedModelServer server =
        server().then(sends(ModelDialect.OPENAI, event + ModelDialect.OPENAI.end("stop")));
    assertThat(ask(models(ModelDialect.OPENAI, server, patient())).text()).isEqualTo("Hello");
  }
}
