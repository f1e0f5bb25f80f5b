package joshua.ssh;

import java.net.InetAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The lines of an {@code authorized_keys} file: usable keys, unusable keys with the reason, and
 * comments (REQ-JS-06). Immutable; an edit returns a copy in which every other line is unchanged.
 */
public final class AuthorizedKeys {
  /** The maximum size of the file. */
  public static final int MAX_BYTES = 1024 * 1024;

  /** The maximum number of keys in a file. */
  public static final int MAX_KEYS = 1_000;

  /** One line, without its line end. */
  public sealed interface Line {
    String text();

    /** Blank, or a comment. */
    record Remark(String text) implements Line {}

    /** A key that may log in. */
    record Usable(String text, AuthorizedKey key) implements Line {}

    /** A line that can't be used to log in, and why. */
    record Unusable(String text, String reason) implements Line {}
  }

  private final List<Line> lines;

  private AuthorizedKeys(List<Line> lines) {
    this.lines = List.copyOf(lines);
  }

  /** Parses the file's text; an unreadable line doesn't affect the others. */
  public static AuthorizedKeys parse(String text) {
    String[] lines = text.split("\n", -1);
    int count = lines[lines.length - 1].isEmpty() ? lines.length - 1 : lines.length;
    return new AuthorizedKeys(Arrays.stream(lines, 0, count).map(AuthorizedKeys::line).toList());
  }

  private static Line line(String text) {
    String rest = text.strip();
    if (rest.isEmpty() || rest.startsWith("#")) {
      return new Line.Remark(text);
    }
    try {
      return new Line.Usable(text, key(rest));
    } catch (SshKey.UnfitKeyException e) {
      return new Line.Unusable(text, e.reason());
    }
  }

  private static AuthorizedKey key(String line) throws SshKey.UnfitKeyException {
    String options = "";
    String rest = line;
    if (!beginsWithKey(line)) {
      int end = endOfOptions(line);
      options = line.substring(0, end);
      rest = line.substring(end).strip();
    }
    String[] words = rest.split("[ \t]+", 3);
    if (words.length < 2) {
      throw new SshKey.UnfitKeyException("it must be: [options] type key [comment]");
    }
    KeyOptions read = new KeyOptions(options);
    SshKey key = SshKey.read(words[0], words[1]);
    return read.of(key, words.length < 3 ? Optional.empty() : Optional.of(words[2].strip()));
  }

  /**
   * Whether the line begins with type and key; base64 of any type begins with the length of its
   * name.
   */
  private static boolean beginsWithKey(String line) {
    return line.matches("[A-Za-z0-9@.-]+[ \t]+AAAA.*");
  }

  private static int endOfOptions(String line) throws SshKey.UnfitKeyException {
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char at = line.charAt(i);
      if (at == '\\' && quoted && line.startsWith("\"", i + 1)) {
        i++;
      } else if (at == '"') {
        quoted = !quoted;
      } else if ((at == ' ' || at == '\t') && !quoted) {
        return i;
      }
    }
    throw new SshKey.UnfitKeyException(
        quoted ? "a quotation mark isn't closed" : "it must be: [options] type key [comment]");
  }

  /** All lines, in their order. */
  public List<Line> lines() {
    return lines;
  }

  /** The keys that may log in. */
  public List<AuthorizedKey> keys() {
    List<AuthorizedKey> keys = new ArrayList<>();
    for (Line line : lines) {
      if (line instanceof Line.Usable usable) {
        keys.add(usable.key());
      }
    }
    return keys;
  }

  /** What is wrong with the unusable lines, each with its line number. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i) instanceof Line.Unusable unusable) {
        problems.add("line %d: %s".formatted(i + 1, unusable.reason()));
      }
    }
    return problems;
  }

  /** The first line that lets this key log in from this address now. */
  public Optional<AuthorizedKey> admitting(SshKey key, InetAddress from, Instant now) {
    return keys().stream()
        .filter(each -> each.key().equals(key) && each.admits(from, now))
        .findFirst();
  }

  /** Returns a copy with one more line at the end. */
  public AuthorizedKeys with(String line) {
    List<Line> more = new ArrayList<>(lines);
    more.add(line(line));
    return new AuthorizedKeys(more);
  }

  /** Returns a copy without the lines of this key. */
  public AuthorizedKeys without(SshKey key) {
    return new AuthorizedKeys(lines.stream().filter(line -> !isOf(key, line)).toList());
  }

  /** Returns a copy in which each line of this key is replaced by another. */
  public AuthorizedKeys replacing(SshKey key, String line) {
    return new AuthorizedKeys(
        lines.stream().map(each -> isOf(key, each) ? line(line) : each).toList());
  }

  private static boolean isOf(SshKey key, Line line) {
    return line instanceof Line.Usable usable && usable.key().key().equals(key);
  }

  /** The text of the whole file. */
  public String text() {
    return lines.stream().map(line -> line.text() + "\n").collect(Collectors.joining());
  }
}
