package joshua.thought.langchain;

import java.util.List;
import java.util.function.Consumer;

/**
 * A filter that removes thoughts, and tool calls written as text, from a model's streamed text.
 * They are between tags, the first of which begins a line; thoughts come before any text, so an
 * answer may mention the tags. Pieces may have any size.
 */
final class ThoughtFilter {
  private static final List<String> CALLS = List.of("<tool_call>");
  private static final List<String> ALL = List.of("<think>", "<thinking>", "<tool_call>");

  private final Consumer<String> answer;
  private final StringBuilder passed = new StringBuilder();

  /** The beginning of a possible tag; within a thought, that of its possible end. */
  private final StringBuilder held = new StringBuilder();

  /** The end tag of the current thought; empty outside of one. */
  private String end = "";

  private boolean lineBegins = true;
  private boolean dropsSpace = true;
  private boolean hasDropped;
  private boolean hasText;

  ThoughtFilter(Consumer<String> answer) {
    this.answer = answer;
  }

  /** Whether something was removed. */
  boolean hasDropped() {
    return hasDropped;
  }

  /** Whether some text of the answer was passed on. */
  boolean hasText() {
    return hasText;
  }

  void accept(String piece) {
    for (int i = 0; i < piece.length(); i++) {
      held.append(piece.charAt(i));
      if (!end.isEmpty()) {
        drop();
      } else if (!mayBeTag()) {
        release();
      }
    }
    flush();
  }

  /** Ends the text. */
  void end() {
    if (end.isEmpty()) {
      release();
      flush();
    }
  }

  private void drop() {
    if (held.length() > end.length()) {
      held.deleteCharAt(0);
    }
    if (end.contentEquals(held)) {
      held.setLength(0);
      end = "";
      dropsSpace = true;
    }
  }

  /** Whether the held text may become a tag; a complete one begins a thought. */
  private boolean mayBeTag() {
    if (lineBegins && held.charAt(0) == '<') {
      String begun = held.toString();
      for (String tag : hasText ? CALLS : ALL) {
        if (tag.equals(begun)) {
          held.setLength(0);
          end = "</" + tag.substring(1);
          hasDropped = true;
        }
        if (tag.startsWith(begun)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Passes the held text on, since it isn't a tag. */
  private void release() {
    for (int i = 0; i < held.length(); i++) {
      char next = held.charAt(i);
      boolean isSpace = Character.isWhitespace(next);
      lineBegins = next == '\n' || (lineBegins && isSpace);
      dropsSpace &= isSpace;
      if (!dropsSpace) {
        passed.append(next);
        hasText = true;
      }
    }
    held.setLength(0);
  }

  private void flush() {
    if (!passed.isEmpty()) {
      answer.accept(passed.toString());
      passed.setLength(0);
    }
  }
}
