package joshua.thought.reading;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.thought.reading.QuestionToken.Kind;

/**
 * A question as tokens, with those that the rules have claimed for an argument. Used by one thread,
 * for one question.
 */
final class TokenizedQuestion {
  /** The maximum length of a question; longer prompts are passed on. */
  static final int MAX_CHARACTERS = 240;

  static final int MAX_TOKENS = 48;

  /** The argument that a token was claimed for. */
  enum Slot {
    NONE,
    ID,
    WHO,
    TIME,
    COUNT,
    CHANNEL,
    /** The addressee, which isn't part of the question. */
    ADDRESS
  }

  private static final Pattern TOKEN =
      Pattern.compile(
          """
          (?<quoted>"[^"]*"|“[^”]*”|«[^»]*»|`[^`]*`|(?<![\\p{L}\\p{N}])'[^']+'(?![\\p{L}\\p{N}]))\
          |(?<moment>\\d{4}-\\d{2}-\\d{2}t\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?:z|[+-]\\d{2}:\\d{2})?)\
          |(?<date>\\d{4}-\\d{2}-\\d{2})(?![0-9a-f-])\
          |(?<id>[0-9a-f]{8}(?:-[0-9a-f-]{0,27}|[0-9a-f]{0,24})(?![\\p{L}\\p{N}_]))\
          |(?<clock>\\d{1,2}:\\d{2}(?::\\d{2})?)(?![0-9:])\
          |(?<number>\\d+(?:\\.\\d+)?)(?=(?:st|nd|rd|th|am|pm|a\\.m|p\\.m|h|hrs?|hours?|m|mins?|minutes?|s|secs?|d|days?|w|weeks?)?(?![\\p{L}\\p{N}_]))\
          |(?<word>[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_]|[.:_-](?=[\\p{L}\\p{N}]))*(?:['’][\\p{L}]+)?)\
          |(?<mark>[^\\s])\
          """,
          Pattern.UNICODE_CHARACTER_CLASS | Pattern.CASE_INSENSITIVE);

  private static final Map<String, String> CONTRACTED =
      Map.of("'s", "is", "'re", "are", "'ve", "have", "'m", "am", "'ll", "will", "'d", "would");

  private static final List<String> BEFORE_IS =
      List.of(
          "what",
          "who",
          "how",
          "where",
          "when",
          "which",
          "why",
          "that",
          "it",
          "there",
          "here",
          "everything",
          "anything");

  private final List<QuestionToken> tokens;
  private final Slot[] slots;

  private TokenizedQuestion(List<QuestionToken> tokens) {
    this.tokens = tokens;
    this.slots = new Slot[tokens.size()];
    Arrays.fill(slots, Slot.NONE);
  }

  /** The tokens of a prompt; empty if it has none or is too long for a question. */
  static Optional<TokenizedQuestion> of(String prompt) {
    if (prompt.length() > MAX_CHARACTERS) {
      return Optional.empty();
    }
    // One character may become eighteen.
    String text = Normalizer.normalize(prompt, Normalizer.Form.NFKC).strip();
    if (text.length() > MAX_CHARACTERS) {
      return Optional.empty();
    }
    List<QuestionToken> tokens = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(text);
    while (matcher.find()) {
      if (tokens.size() >= MAX_TOKENS) {
        return Optional.empty();
      }
      add(tokens, matcher);
    }
    return tokens.isEmpty() ? Optional.empty() : Optional.of(new TokenizedQuestion(tokens));
  }

  private static void add(List<QuestionToken> tokens, Matcher matcher) {
    String written = matcher.group();
    String lower = written.toLowerCase(Locale.ROOT).replace('’', '\'');
    boolean capitals =
        written.equals(written.toUpperCase(Locale.ROOT))
            && !written.equals(written.toLowerCase(Locale.ROOT));
    Kind kind = kind(matcher);
    int apostrophe = lower.lastIndexOf('\'');
    if (kind != Kind.WORD || apostrophe < 0 || lower.endsWith("n't") || lower.equals("o'clock")) {
      tokens.add(new QuestionToken(lower, kind, capitals));
      return;
    }
    String stem = lower.substring(0, apostrophe);
    String tail = lower.substring(apostrophe);
    tokens.add(new QuestionToken(stem, Kind.WORD, capitals));
    boolean possessive = tail.equals("'s") && !BEFORE_IS.contains(stem);
    tokens.add(
        new QuestionToken(
            possessive ? tail : CONTRACTED.getOrDefault(tail, tail), Kind.WORD, false));
  }

  private static Kind kind(Matcher matcher) {
    for (Kind kind : Kind.values()) {
      if (matcher.group(kind.name().toLowerCase(Locale.ROOT)) != null) {
        return kind;
      }
    }
    throw new IllegalStateException("a token of no kind: " + matcher.group());
  }

  int size() {
    return tokens.size();
  }

  /** The token at an index; an empty mark before the first and after the last. */
  QuestionToken at(int index) {
    return index < 0 || index >= tokens.size()
        ? new QuestionToken("", Kind.MARK, false)
        : tokens.get(index);
  }

  boolean isFree(int index) {
    return index >= 0 && index < slots.length && slots[index] == Slot.NONE;
  }

  Slot slot(int index) {
    return index < 0 || index >= slots.length ? Slot.NONE : slots[index];
  }

  void take(int from, int to, Slot slot) {
    Arrays.fill(slots, from, to, slot);
  }

  /** Whether these words follow one another from there on, none of them claimed. */
  boolean has(int index, String... words) {
    return has(index, List.of(words));
  }

  boolean has(int index, List<String> words) {
    for (int i = 0; i < words.size(); i++) {
      if (!isFree(index + i) || !at(index + i).text().equals(words.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** The words in order, with a placeholder for each argument, and without marks. */
  List<String> words() {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < slots.length; i++) {
      if (slots[i] == Slot.NONE) {
        if (tokens.get(i).kind() != Kind.MARK) {
          words.add(tokens.get(i).text());
        }
      } else if (slots[i] != Slot.ADDRESS && isFirstOfItsSlot(i)) {
        words.add("<" + slots[i].name().toLowerCase(Locale.ROOT) + ">");
      }
    }
    return words;
  }

  /** Two consecutive names count separately; further tokens of the same name don't. */
  private boolean isFirstOfItsSlot(int index) {
    return index == 0
        || slots[index] != slots[index - 1]
        || (slots[index] == Slot.WHO
            && !tokens.get(index).is("'s", "'", "@")
            && !tokens.get(index - 1).is("@"));
  }

  @Override
  public String toString() {
    return String.join(" ", words());
  }
}
