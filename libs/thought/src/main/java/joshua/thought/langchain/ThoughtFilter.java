package joshua.thought.langchain;

import java.util.List;
import java.util.function.Consumer;

/**
 * Takes out of a model's text what is no part of the answer: thoughts, and calls of tools that it
 * writes as text. They stand between tags, the first of which begins a line; thoughts come before
 * any text, so an answer may speak of them. The text comes in pieces of any size.
 */
final class ThoughtFilter {
  private static final List<String> CALLS = List.of("tool_call");
  private static final List<String> ALL = List.of("think", "thinking", "tool_call");

  /** In characters; what is read at once is searched from its beginning for each tag. */
  private static final int SLICE = 256;

  private final Consumer<String> answer;
  private final StringBuilder pending = new StringBuilder();
  private String end = "";
  private boolean lineBegins = true;
  private boolean dropsSpace = true;
  private boolean hasDropped;
  private boolean hasText;

  ThoughtFilter(Consumer<String> answer) {
    this.answer = answer;
  }

  /** Whether there was something that is no part of the answer. */
  boolean hasDropped() {
    return hasDropped;
  }

  /** Whether some text of the answer was passed on. */
  boolean hasText() {
    return hasText;
  }

  void accept(String piece) {
    for (int at = 0, next; at < piece.length(); at = next) {
      next = Math.min(piece.length(), at + SLICE);
      next -= next - at > 1 && Character.isHighSurrogate(piece.charAt(next - 1)) ? 1 : 0;
      pending.append(piece, at, next);
      boolean more = true;
      while (more) {
        more = end.isEmpty() ? text() : thought();
      }
    }
  }

  /** There are no more pieces. */
  void end() {
    if (end.isEmpty()) {
      emit(pending.length());
    }
  }

  /** Says whether there may be more to do. */
  private boolean text() {
    int from = 0;
    while (true) {
      int bracket = pending.indexOf("<", from);
      if (bracket < 0) {
        emit(pending.length());
        return false;
      }
      if (!isLineBegin(bracket)) {
        from = bracket + 1;
        continue;
      }
      emit(bracket);
      for (String tag : hasText ? CALLS : ALL) {
        String open = "<%s>".formatted(tag);
        if (pending.indexOf(open) == 0) {
          pending.delete(0, open.length());
          end = "</%s>".formatted(tag);
          hasDropped = true;
          return true;
        }
        if (open.startsWith(pending.toString())) {
          return false;
        }
      }
      from = 1;
    }
  }

  private boolean thought() {
    int at = pending.indexOf(end);
    if (at < 0) {
      pending.delete(0, Math.max(0, pending.length() - end.length() + 1));
      return false;
    }
    pending.delete(0, at + end.length());
    end = "";
    dropsSpace = true;
    return true;
  }

  private boolean isLineBegin(int at) {
    int i = at;
    while (i > 0
        && Character.isWhitespace(pending.charAt(i - 1))
        && pending.charAt(i - 1) != '\n') {
      i--;
    }
    return i == 0 ? lineBegins : pending.charAt(i - 1) == '\n';
  }

  private void emit(int length) {
    int from = 0;
    while (dropsSpace && from < length) {
      dropsSpace = Character.isWhitespace(pending.charAt(from));
      from += dropsSpace ? 1 : 0;
    }
    if (from < length) {
      lineBegins = isLineBegin(length);
      hasText = true;
      answer.accept(pending.substring(from, length));
    }
    pending.delete(0, length);
  }
}
