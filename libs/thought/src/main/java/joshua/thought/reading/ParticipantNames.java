package joshua.thought.reading;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import joshua.thought.reading.QuestionToken.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The names of participants, recognized as people write them: "agent-7", "Agent 7", "agent_7's",
 * "bobs". Case and the separators between the parts of a name don't matter, unless two names differ
 * only by these.
 */
final class ParticipantNames {
  private static final int MAX_PARTS = 4;

  /** A name, and how many tokens it covers; doubtful if ordinary words might be meant. */
  record Named(String name, int tokens, boolean doubtful) {}

  private final Map<String, String> exact = new TreeMap<>();
  private final Map<List<String>, String> byParts = new HashMap<>();

  ParticipantNames(Set<String> participants) {
    Set<List<String>> ambiguous = new HashSet<>();
    for (String name : participants) {
      String lower = name.toLowerCase(Locale.ROOT);
      exact.put(lower, name);
      List<String> parts = parts(lower);
      if (byParts.put(parts, name) != null) {
        ambiguous.add(parts);
      }
    }
    byParts.keySet().removeAll(ambiguous);
  }

  private static List<String> parts(String name) {
    return Arrays.stream(name.split("[-_.:]+")).filter(part -> !part.isEmpty()).toList();
  }

  /** The longest name that begins at a token. */
  Optional<Named> at(TokenizedQuestion tokenizedQuestion, int index) {
    if (!tokenizedQuestion.isFree(index)) {
      return Optional.empty();
    }
    String text = NameMarks.at(tokenizedQuestion, index);
    String whole = exact.get(text);
    if (whole != null) {
      return NameMarks.isMeant(tokenizedQuestion, index)
          ? Optional.of(new Named(whole, 1, false))
          : Optional.empty();
    }
    return spread(tokenizedQuestion, index).or(() -> plural(text));
  }

  /** "agent 7", "agent_7". */
  private Optional<Named> spread(TokenizedQuestion tokenizedQuestion, int index) {
    Named longest = null;
    List<String> parts = List.of();
    for (int i = index; i < index + MAX_PARTS && isPart(tokenizedQuestion, i); i++) {
      parts = joined(parts, parts(tokenizedQuestion.at(i).text()));
      @Nullable String name = byParts.get(parts);
      if (name != null && parts.size() > 1) {
        longest =
            new Named(name, i - index + 1, parts.stream().allMatch(QuestionVocabulary::isPlain));
      }
    }
    return Optional.ofNullable(longest);
  }

  private static boolean isPart(TokenizedQuestion tokenizedQuestion, int index) {
    Kind kind = tokenizedQuestion.at(index).kind();
    return tokenizedQuestion.isFree(index) && (kind == Kind.WORD || kind == Kind.NUMBER);
  }

  private static List<String> joined(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  /** "bobs tasks". */
  private Optional<Named> plural(String text) {
    String name = text.endsWith("s") ? exact.get(text.substring(0, text.length() - 1)) : null;
    return name == null || QuestionVocabulary.isPlain(text)
        ? Optional.empty()
        : Optional.of(new Named(name, 1, false));
  }
}
