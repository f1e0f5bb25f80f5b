package joshua.ssh;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import joshua.kernel.TextExcerpt;

/**
 * A parser that splits a command line into words as a shell does: at blanks, with {@code '…'} taken
 * literally, {@code "…"} literally except for a backslash before {@code "} and {@code \}, and a
 * backslash before any character elsewhere. Nothing else is special: no variables, no pipes, no
 * substitution.
 */
public final class CommandLineParser {
  /** The maximum length of a command line. */
  static final int MAX_CHARACTERS = 64 * 1024;

  /** The maximum number of words. */
  static final int MAX_WORDS = 256;

  /** The maximum length of a word that everyone may read: the longest identifier. */
  private static final int LONGEST_TOLD = 128;

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+,-]+");

  private final List<String> words = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private boolean begun;

  private CommandLineParser() {}

  static List<String> split(String line) throws VerbFailedException {
    if (line.length() > MAX_CHARACTERS) {
      throw VerbFailedException.misuse(
          "a command line has at most %d characters".formatted(MAX_CHARACTERS));
    }
    return check(new CommandLineParser().read(line));
  }

  /** Checks a command that is already split into words. */
  static List<String> check(List<String> words) throws VerbFailedException {
    long characters = words.stream().mapToLong(String::length).sum();
    if (words.size() > MAX_WORDS || characters > MAX_CHARACTERS) {
      throw VerbFailedException.misuse(
          "a command line has at most %d words and %d characters"
              .formatted(MAX_WORDS, MAX_CHARACTERS));
    }
    return words;
  }

  private List<String> read(String line) throws VerbFailedException {
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char at = line.charAt(i);
      if (at == '\\' && quote != '\'' && escapes(line, i, quote)) {
        i++;
        take(line.charAt(i));
      } else if (quote != 0) {
        if (at == quote) {
          quote = 0;
        } else {
          take(at);
        }
      } else if (at == '\'' || at == '"') {
        quote = at;
        begun = true;
      } else if (Character.isWhitespace(at)) {
        end();
      } else {
        take(at);
      }
    }
    if (quote != 0) {
      throw VerbFailedException.misuse("a quotation mark isn't closed: " + quote);
    }
    end();
    return List.copyOf(words);
  }

  private static boolean escapes(String line, int backslash, char quote) {
    if (backslash + 1 == line.length()) {
      return false;
    }
    char next = line.charAt(backslash + 1);
    return quote == 0 || next == '"' || next == '\\';
  }

  private void take(char character) {
    word.append(character);
    begun = true;
  }

  private void end() {
    if (begun) {
      words.add(word.toString());
      word.setLength(0);
      begun = false;
    }
  }

  /** The words as a user would type them, truncated to what the audit log keeps. */
  static String written(List<String> words) {
    String line = words.stream().map(CommandLineParser::quoted).collect(Collectors.joining(" "));
    return TextExcerpt.of(line, AuditLog.Entry.DETAIL);
  }

  /** Replaces words that are left out. */
  static final String LEFT_OUT = "…";

  /**
   * The words as {@link #written} returns them, without those in {@code withheld} and without any
   * that isn't as short and plain as names, ids and options are.
   */
  static String written(List<String> words, Collection<String> withheld) {
    List<String> shown = new ArrayList<>();
    for (String word : words) {
      boolean plain = word.length() <= LONGEST_TOLD && PLAIN.matcher(word).matches();
      if (plain && (shown.isEmpty() || !withheld.contains(word))) {
        shown.add(word);
      } else if (shown.isEmpty() || !shown.getLast().equals(LEFT_OUT)) {
        shown.add(LEFT_OUT);
      }
    }
    return TextExcerpt.of(String.join(" ", shown), AuditLog.Entry.DETAIL);
  }

  /** One word, quoted for a shell. */
  public static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
