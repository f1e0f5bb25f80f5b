package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import joshua.kernel.Json;
import joshua.kernel.KnownSettings.LogFormat;
import joshua.kernel.KnownSettings.LogLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

@Isolated // Logging is set up for the whole process.
class LoggingSetupTest {
  private static final Logger OURS = LoggerFactory.getLogger("joshua.test");
  private static final Logger OTHERS = LoggerFactory.getLogger("io.lettuce.test");

  private final PrintStream before = System.err;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void catchStandardError() {
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void release() {
    System.setErr(before);
    MDC.clear();
    LoggingSetup.apply(LogFormat.TEXT, LogLevel.WARN, true);
  }

  private String written() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void jsonHasTheCorrelationIdAsAMemberOfItsOwn() throws Exception {
    LoggingSetup.apply(LogFormat.JSON, LogLevel.INFO, true);
    MDC.put("correlation_id", "c-1");
    OURS.info("sent \"{}\"\nto {}", 1, "mad.topic.x");
    assertThat(written().lines()).hasSize(1);
    JsonNode line = Json.parse(written());
    assertThat(line.path("correlation_id").asText()).isEqualTo("c-1");
    assertThat(line.path("message").asText()).isEqualTo("sent \"1\"\nto mad.topic.x");
    assertThat(line.path("level").asText()).isEqualTo("INFO");
    assertThat(line.path("logger").asText()).isEqualTo("joshua.test");
    assertThat(line.path("timestamp").asText()).endsWith("Z");
  }

  @Test
  void jsonHasTheStackTraceInTheSameLine() throws Exception {
    LoggingSetup.apply(LogFormat.JSON, LogLevel.INFO, true);
    OURS.error("failed", new IllegalStateException("why"));
    assertThat(Json.parse(written()).path("stack_trace").asText()).contains("why");
  }

  /** Everything that a terminal would obey, or that would look like another line of the log. */
  private static final String HARM =
      "\u0000\u0007\u001b[2J\u007f\u0080\u0085\u009b2J\u2028\u2029\u202a\u202e\u2066\u2069\u200f\ufeff\rx";

  private void logHarm() {
    MDC.put("correlation_id", "c" + HARM);
    String name = Thread.currentThread().getName();
    Thread.currentThread().setName("t" + HARM);
    try {
      OURS.warn(
          "said {}\n2026-01-01T00:00:00.000Z ERROR Forged  all is lost",
          "a" + HARM,
          new IllegalStateException(
              "b" + HARM + "\n2026-01-01T00:00:00.000Z ERROR Forged  by the cause",
              new IllegalArgumentException("d" + HARM)));
    } finally {
      Thread.currentThread().setName(name);
    }
  }

  /** Security: a caller that causes a line can't make it say something else. */
  @Test
  void textHasNoControlBidiOrLineSeparatorCharacterWhoeverCausedTheLine() {
    LoggingSetup.apply(LogFormat.TEXT, LogLevel.INFO, true);
    logHarm();
    assertThat(written().replace(System.lineSeparator(), ""))
        .doesNotContainPattern("[\\p{Cntrl}\\p{Cf}\\u0080-\\u009f\\u2028\\u2029]")
        .contains("\\u009b2J", "\\u2028", "\\u202e", "\\u001b[2J", "\\u000d");
    assertThat(written().lines())
        .as("only the first line begins as a line of the log does")
        .filteredOn(line -> !line.startsWith(" "))
        .singleElement()
        .asString()
        .contains("said a");
    assertThat(written()).contains("    at joshua.app.LoggingSetupTest.logHarm");
  }

  @Test
  void jsonHasNoneEitherAndMeansTheSame() throws Exception {
    LoggingSetup.apply(LogFormat.JSON, LogLevel.INFO, true);
    logHarm();
    assertThat(written().replace(System.lineSeparator(), ""))
        .doesNotContainPattern("[\\p{Cntrl}\\p{Cf}\\u0080-\\u009f\\u2028\\u2029]");
    JsonNode line = Json.parse(written());
    assertThat(line.path("message").asText()).startsWith("said a" + HARM + "\n");
    assertThat(line.path("thread").asText()).isEqualTo("t" + HARM);
    assertThat(line.path("correlation_id").asText()).isEqualTo("c" + HARM);
    assertThat(line.path("stack_trace").asText()).contains("b" + HARM, "d" + HARM);
  }

  @Test
  void aFloodThatStrangersCauseIsOneLine() {
    LoggingSetup.apply(LogFormat.TEXT, LogLevel.INFO, true);
    for (String name : ThrottledLoggers.NAMES) {
      for (int i = 0; i < 1_000; i++) {
        LoggerFactory.getLogger(name).warn("Bad Authority: [{}]", "flood " + i);
      }
    }
    assertThat(written().lines()).singleElement().asString().contains("Bad Authority: [flood 0]");
  }

  @Test
  void textEndsWithTheCorrelationIdIfThereIsOne() {
    LoggingSetup.apply(LogFormat.TEXT, LogLevel.INFO, false);
    OURS.info("without");
    MDC.put("correlation_id", "c-1");
    OURS.info("with");
    assertThat(written().lines())
        .satisfiesExactly(
            first -> assertThat(first).endsWith("without"),
            second -> assertThat(second).endsWith("with  correlation_id=c-1"));
  }

  @Test
  void autoIsTextOnATerminalElseJson() {
    LoggingSetup.apply(LogFormat.AUTO, LogLevel.INFO, true);
    OURS.info("to a person");
    LoggingSetup.apply(LogFormat.AUTO, LogLevel.INFO, false);
    OURS.info("to a machine");
    assertThat(written().lines())
        .satisfiesExactly(
            first -> assertThat(first).endsWith("to a person"),
            second -> assertThat(second).startsWith("{"));
  }

  @Test
  void theLevelIsTheLeastThatIsWritten() {
    LoggingSetup.apply(LogFormat.TEXT, LogLevel.WARN, true);
    OURS.info("not this");
    OURS.warn("but this");
    assertThat(written()).contains("but this").doesNotContain("not this");
  }

  @Test
  void librariesAreHeardAtInfoOnlyWhenSomethingIsBeingLookedFor() {
    LoggingSetup.apply(LogFormat.TEXT, LogLevel.INFO, true);
    OTHERS.info("chatter");
    OTHERS.warn("trouble");
    LoggingSetup.apply(LogFormat.TEXT, LogLevel.DEBUG, true);
    OTHERS.info("details");
    OTHERS.debug("Authorization: Bearer jt_secret");
    assertThat(written()).contains("trouble", "details").doesNotContain("chatter", "jt_secret");
  }

  @Test
  void whatLibrariesLogByOtherMeansIsWrittenTheSameWay() {
    LoggingSetup.apply(LogFormat.TEXT, LogLevel.INFO, true);
    Object routing = new JulToSlf4j();
    java.util.logging.Logger.getLogger("org.other").warning("by java.util.logging");
    assertThat(routing).isNotNull();
    assertThat(written()).endsWith("by java.util.logging" + System.lineSeparator());
  }
}
