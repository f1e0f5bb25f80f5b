package joshua.thought.reading;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import joshua.thought.reading.QuestionToken.Kind;
import joshua.thought.reading.TokenizedQuestion.Slot;

/** Extracts the count in a question: "the last 5 tasks", "three slowest", "top ten". */
final class CountRules {
  private static final Set<String> NEWEST = Set.of("last", "latest", "newest", "recent");

  private static final Set<String> THINGS = RuleWords.list("things");
  private static final Set<String> AROUND = RuleWords.list("around a count");
  private static final Set<String> MEASURED = RuleWords.list("measured");

  /** The count, and whether it is implied by a singular such as "the last task". */
  record Count(OptionalInt limit, boolean one) {}

  private CountRules() {}

  static Count take(TokenizedQuestion tokenizedQuestion, List<String> unreadable) {
    OptionalInt found = OptionalInt.empty();
    for (int i = 0; i < tokenizedQuestion.size(); i++) {
      if (!tokenizedQuestion.isFree(i) || isPronoun(tokenizedQuestion, i)) {
        continue;
      }
      OptionalInt number = number(tokenizedQuestion, i);
      if (number.isEmpty()) {
        if (tokenizedQuestion.at(i).kind() == Kind.NUMBER
            && !tokenizedQuestion.at(i + 2).is("percentile", "percentiles")) {
          unreadable.add(tokenizedQuestion.at(i).text());
        }
        continue;
      }
      if (found.isPresent() || !isLimit(tokenizedQuestion, i)) {
        unreadable.add(tokenizedQuestion.at(i).text());
      }
      found = number;
      tokenizedQuestion.take(i, i + 1, Slot.COUNT);
    }
    return found.isPresent() || !oneIsMeant(tokenizedQuestion)
        ? new Count(found, false)
        : new Count(OptionalInt.of(1), true);
  }

  /** "compare this hour with the previous one" */
  private static boolean isPronoun(TokenizedQuestion tokenizedQuestion, int index) {
    return tokenizedQuestion.at(index).is("one")
        && tokenizedQuestion
            .at(index - 1)
            .is("previous", "other", "this", "that", "which", "before");
  }

  private static OptionalInt number(TokenizedQuestion tokenizedQuestion, int index) {
    if (tokenizedQuestion.at(index).is("dozen")) {
      return OptionalInt.of(tokenizedQuestion.at(index - 1).is("half") ? 6 : 12);
    }
    return tokenizedQuestion.at(index + 2).is("percentile", "percentiles")
        ? OptionalInt.empty()
        : TimeWords.number(tokenizedQuestion.at(index));
  }

  private static boolean isLimit(TokenizedQuestion tokenizedQuestion, int index) {
    QuestionToken before = tokenizedQuestion.at(index - 1);
    QuestionToken after = tokenizedQuestion.at(index + 1);
    if (MEASURED.contains(after.text())
        || before.is("first")
        || before.is("than", "least", "attempt", "version", "over", "under", "above", "#")) {
      return tokenizedQuestion.has(index - 3, "no", "more", "than");
    }
    return index == tokenizedQuestion.size() - 1
        || AROUND.contains(before.text())
        || AROUND.contains(after.text())
        || THINGS.contains(after.text())
        || THINGS.contains(tokenizedQuestion.at(index + 2).text())
        || tokenizedQuestion.slot(index - 1) == Slot.WHO;
  }

  /** "the last task", "my newest failure": a single thing, although no number is named. */
  private static boolean oneIsMeant(TokenizedQuestion tokenizedQuestion) {
    for (int i = 0; i < tokenizedQuestion.size(); i++) {
      if (!tokenizedQuestion.isFree(i) || !NEWEST.contains(tokenizedQuestion.at(i).text())) {
        continue;
      }
      for (int j = i + 1; j <= i + 3 && j < tokenizedQuestion.size(); j++) {
        String word = tokenizedQuestion.at(j).text();
        if (THINGS.contains(word) && !word.endsWith("s")) {
          return true;
        }
        if (THINGS.contains(word)) {
          break;
        }
      }
    }
    return false;
  }
}
