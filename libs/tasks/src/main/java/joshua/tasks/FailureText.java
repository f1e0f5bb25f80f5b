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
 * What a requester is told of a failure (REQ-FD-06), with secrets masked: known ones, and what
 * looks like one.
 */
public final class FailureText {
  private static final int LONGEST_MESSAGE = 2_000;
  private static final int LONGEST_TRACE = 32 * 1024;

  /** Shorter ones would mask parts of ordinary sentences. */
  private static final int SHORTEST_SECRET = 8;

  private static final String MASK = "***";
  private static final List<Pattern> LOOK_LIKE_SECRETS =
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
            .filter(secret -> secret.length() >= SHORTEST_SECRET)
            .map(secret -> Pattern.compile("(?<!\\w)" + Pattern.quote(secret) + "(?!\\w)"));
    this.secrets = Stream.concat(whole, LOOK_LIKE_SECRETS.stream()).toList();
  }

  /** A text without secrets. */
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
        cut(mask(message), LONGEST_MESSAGE), cut(mask(trace.toString()), LONGEST_TRACE));
  }

  private static String cut(String text, int longest) {
    return text.length() <= longest ? text : UnicodeText.truncate(text, longest) + " …";
  }
}
