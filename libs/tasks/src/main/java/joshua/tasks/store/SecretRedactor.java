package joshua.tasks.store;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import joshua.kernel.TextExcerpt;
import joshua.tasks.model.TaskError;
import joshua.tasks.model.UnicodeStream;
import joshua.thought.ThoughtRefusedException;

/**
 * Removes secrets from text that peers may read (REQ-FD-06): known ones, and anything that looks
 * like one.
 */
public final class SecretRedactor {
  private static final String STARS = "***";
  private static final int SHORTEST = 4;
  private static final int LONGEST_MESSAGE = 2_000;
  private static final int LONGEST_TRACE = 32 * 1024;
  private static final int FAILURES = 30;

  private static final Pattern BEARER =
      Pattern.compile("(?i)\\b(bearer|basic)\\s+[A-Za-z0-9._~+/=-]{8,}");
  private static final Pattern NAMED =
      Pattern.compile(
          "(?i)(authorization|api[-_ ]?key|password|passwd|secret|access[-_]?token)"
              + "([\"']?\\s*[:=]\\s*[\"']?)(?!\\s*(?:bearer|basic)\\b)[^\\s\"',;}&]+");
  private static final Pattern KEY = Pattern.compile("\\bsk-[A-Za-z0-9_-]{8,}");
  private static final Pattern USER_OF_URL = Pattern.compile("://[^/\\s:@]*:[^/\\s@]+@");

  private final List<String> secrets;

  /**
   * Masks these wherever they occur, longest first, since one may contain another. Very short ones
   * are ignored: they would mask half of every text.
   */
  public SecretRedactor(List<String> secrets) {
    this.secrets =
        secrets.stream()
            .filter(secret -> secret.length() >= SHORTEST)
            .distinct()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  String mask(String text) {
    String masked = text;
    for (String secret : secrets) {
      masked = masked.replace(secret, STARS);
    }
    masked = BEARER.matcher(masked).replaceAll("$1 " + "\\*\\*\\*");
    masked = NAMED.matcher(masked).replaceAll("$1$2\\*\\*\\*");
    masked = KEY.matcher(masked).replaceAll("\\*\\*\\*");
    return USER_OF_URL.matcher(masked).replaceAll("://\\*\\*\\*@");
  }

  /**
   * A failure in the form of a task's error; a refusal has no stack trace, since it isn't a bug.
   */
  public TaskError error(Throwable cause) {
    String message = cause.getMessage();
    String said = message == null || message.isBlank() ? cause.getClass().getName() : message;
    return new TaskError(
        TaskError.codeOf(cause),
        cut(mask(UnicodeStream.paired(said)), LONGEST_MESSAGE),
        cause instanceof ThoughtRefusedException
            ? ""
            : cut(mask(UnicodeStream.paired(trace(cause))), LONGEST_TRACE));
  }

  private static String cut(String text, int longest) {
    return text.length() <= longest ? text : TextExcerpt.beginning(text, longest) + " …";
  }

  /** The stack traces of the failure, its causes and suppressed exceptions, recursively. */
  private static String trace(Throwable thrown) {
    StringBuilder trace = new StringBuilder();
    Deque<Told> left = new ArrayDeque<>();
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    left.push(new Told("", thrown));
    while (!left.isEmpty() && seen.size() < FAILURES && trace.length() < LONGEST_TRACE) {
      Told told = left.pop();
      if (seen.add(told.thrown())) {
        trace.append(told.as()).append(told.thrown()).append('\n');
        for (StackTraceElement element : told.thrown().getStackTrace()) {
          trace.append("\tat ").append(element).append('\n');
        }
        for (Throwable suppressed : List.of(told.thrown().getSuppressed()).reversed()) {
          left.push(new Told("Suppressed: ", suppressed));
        }
        Throwable cause = told.thrown().getCause();
        if (cause != null) {
          left.push(new Told("Caused by: ", cause));
        }
      }
    }
    return trace.toString();
  }

  private record Told(String as, Throwable thrown) {}
}
