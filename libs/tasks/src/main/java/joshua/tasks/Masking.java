package joshua.tasks;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Takes secrets out of text that peers may read (REQ-FD-06): those that are known, and what looks
 * like one.
 */
final class Masking {
  private static final String STARS = "***";
  private static final int SHORTEST = 4;
  private static final int LONGEST_MESSAGE = 2_000;
  private static final int LONGEST_TRACE = 32 * 1024;
  private static final int CAUSES = 10;

  private static final Pattern BEARER =
      Pattern.compile("(?i)\\b(bearer|basic)\\s+[A-Za-z0-9._~+/=-]{8,}");
  private static final Pattern NAMED =
      Pattern.compile(
          "(?i)(authorization|api[-_ ]?key|password|passwd|secret|access[-_]?token)"
              + "([\"']?\\s*[:=]\\s*[\"']?)(?!\\s*(?:bearer|basic)\\b)[^\\s\"',;}&]+");
  private static final Pattern KEY = Pattern.compile("\\bsk-[A-Za-z0-9_-]{8,}");
  private static final Pattern USER_OF_URL = Pattern.compile("://[^/\\s:@]*:[^/\\s@]+@");

  private final List<String> secrets;

  /** Masks these wherever they occur; very short ones would mask half of every text. */
  Masking(List<String> secrets) {
    this.secrets = secrets.stream().filter(secret -> secret.length() >= SHORTEST).toList();
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

  /** A failure as a task's error shows it. */
  TaskError error(Throwable cause) {
    String message = cause.getMessage();
    String said = message == null || message.isBlank() ? cause.getClass().getName() : message;
    return new TaskError(
        cut(mask(UnicodeStream.paired(said)), LONGEST_MESSAGE),
        cut(mask(UnicodeStream.paired(trace(cause))), LONGEST_TRACE));
  }

  private static String cut(String text, int longest) {
    return text.length() <= longest
        ? text
        : UnicodeStream.paired(text.substring(0, longest)) + " …";
  }

  private static String trace(Throwable thrown) {
    StringBuilder trace = new StringBuilder();
    Throwable at = thrown;
    for (int i = 0; at != null && i < CAUSES && trace.length() < LONGEST_TRACE; i++) {
      trace.append(i == 0 ? "" : "Caused by: ").append(at).append('\n');
      for (StackTraceElement element : at.getStackTrace()) {
        trace.append("\tat ").append(element).append('\n');
      }
      at = at.getCause();
    }
    return trace.toString();
  }
}
