package joshua.thought.langchain;

import java.util.List;
import java.util.function.Consumer;

/**
 * Takes out of a model's text what is no part of the answer: thoughts, and calls of tools that it
 * writes as text. They stand between tags, the first of which begins a line; thoughts come before
 * any text, so an answer may speak of them. The text comes in pieces of any size.
 */
final class ThoughtFilter {
  private static final List<String> CALLS = List.of("<tool_call>");
  private static final List<String> ALL = List.of("<think>", "<thinking>", "<tool_call>");

  private final Consumer<String> answer;
  private final StringBuilder passed = new StringBuilder();

  /** The beginning of what may be a tag; in a thought, the latest that may be its end. */
  private final StringBuilder held = new StringBuilder();

  /** What a thought ends with; empty outside of one. */
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

  /** There are no more pieces. */
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

  /** Whether what is held may become a tag; when it is one, a thought begins. */
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

  /** What is held is text after all. */
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
