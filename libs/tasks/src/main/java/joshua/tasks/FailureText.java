package joshua.tasks;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import joshua.kernel.UnicodeText;
import joshua.tasks.model.Outcome;
import joshua.thought.model.NotAnsweredException;

/**
 * The text of failures for requesters (REQ-FD-06), with secrets masked: known ones, and what looks
 * like one.
 */
public final class FailureText {
  private static final int MAX_MESSAGE_LENGTH = 2_000;
  private static final int MAX_TRACE_LENGTH = 32 * 1024;

  /** Shorter ones would mask parts of ordinary sentences. */
  private static final int MIN_SECRET_LENGTH = 8;

  private static final String MASK = "***";
  private static final List<Pattern> SECRET_PATTERNS =
      List.of(
          Pattern.compile("(?i)(?<=\\b(?:bearer|basic) )[A-Za-z0-9._~+/=-]{8,}"),
          Pattern.compile(
              "(?i)(?<=(?:api[-_]?key|password|secret|token)[\"']?[:=] ?[\"']?)[^\\s\"',;}&]{8,}"),
          Pattern.compile("\\bsk-[A-Za-z0-9_-]{8,}"),
          Pattern.compile("(?<=://)[^/\\s:@]*:[^/\\s@]+(?=@)"));

  private final List<Pattern> secrets;

  public FailureText(Collection<String> known) {
    Stream<Pattern> whole =
        known.stream()
            .filter(secret -> secret.length() >= MIN_SECRET_LENGTH)
            .map(secret -> Pattern.compile("(?<!\\w)" + Pattern.quote(secret) + "(?!\\w)"));
    this.secrets = Stream.concat(whole, SECRET_PATTERNS.stream()).toList();
  }

  /** Masks the secrets in a text. */
  public String mask(String text) {
    String masked = UnicodeText.repaired(text);
    for (Pattern secret : secrets) {
      masked = secret.matcher(masked).replaceAll(MASK);
    }
    return masked;
  }

  /** A failure with its stack trace; without one where it is an expected refusal. */
  Outcome.Failed of(Throwable failure) {
    String said = failure.getMessage();
    String message = said == null || said.isBlank() ? failure.toString() : said;
    StringWriter trace = new StringWriter();
    if (!(failure instanceof NotAnsweredException)) {
      failure.printStackTrace(new PrintWriter(trace));
    }
    return new Outcome.Failed(
        cut(mask(message), MAX_MESSAGE_LENGTH), cut(mask(trace.toString()), MAX_TRACE_LENGTH));
  }

  private static String cut(String text, int max) {
    return text.length() <= max ? text : UnicodeText.truncate(text, max) + " …";
  }
}
