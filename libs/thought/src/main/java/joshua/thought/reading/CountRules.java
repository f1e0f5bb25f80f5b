package joshua.thought.reading;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import joshua.thought.reading.Sentence.Slot;
import joshua.thought.reading.Token.Kind;

/** Takes the count that a question names: "the last 5 tasks", "three slowest", "top ten". */
final class CountRules {
  private static final Set<String> NEWEST = Set.of("last", "latest", "newest", "recent");

  private static final Set<String> THINGS =
      Set.of(
          "task",
          "job",
          "request",
          "failure",
          "error",
          "submission",
          "one",
          "tasks",
          "jobs",
          "requests",
          "failures",
          "errors",
          "submissions",
          "ones",
          "entries",
          "items",
          "prompt",
          "prompts",
          "message",
          "thing",
          "things",
          "question",
          "questions",
          "run",
          "runs",
          "entry",
          "item");

  private static final Set<String> AROUND =
      Set.of(
          "last",
          "latest",
          "newest",
          "recent",
          "half",
          "most",
          "top",
          "slowest",
          "longest",
          "limit",
          "maximum",
          "max",
          "past",
          "final",
          "which",
          "the",
          "my",
          "show",
          "list",
          "me",
          "<who>",
          "are",
          "were",
          "return",
          "first",
          "worst",
          "their",
          "retrieve",
          "fetch",
          "get",
          "give");

  private static final Set<String> UNITS =
      Set.of(
          "percent", "%", "tokens", "times", "seconds", "minutes", "hours", "days", "words", "gb",
          "mb", "$", "euros", "dollars");

  /** What is counted, and whether it was said or is the one of "the last task". */
  record Count(OptionalInt limit, boolean one) {}

  private CountRules() {}

  static Count take(Sentence sentence, List<String> unreadable) {
    OptionalInt found = OptionalInt.empty();
    for (int i = 0; i < sentence.size(); i++) {
      if (!sentence.isFree(i) || isPronoun(sentence, i)) {
        continue;
      }
      OptionalInt number = number(sentence, i);
      if (number.isEmpty()) {
        if (sentence.at(i).kind() == Kind.NUMBER
            && !sentence.at(i + 2).is("percentile", "percentiles")) {
          unreadable.add(sentence.at(i).text());
        }
        continue;
      }
      if (found.isPresent() || !isLimit(sentence, i)) {
        unreadable.add(sentence.at(i).text());
      }
      found = number;
      sentence.take(i, i + 1, Slot.COUNT);
    }
    return found.isPresent() || !oneIsMeant(sentence)
        ? new Count(found, false)
        : new Count(OptionalInt.of(1), true);
  }

  /** "compare this hour with the previous one" */
  private static boolean isPronoun(Sentence sentence, int index) {
    return sentence.at(index).is("one")
        && sentence.at(index - 1).is("previous", "other", "this", "that", "which", "before");
  }

  private static OptionalInt number(Sentence sentence, int index) {
    if (sentence.at(index).is("dozen")) {
      return OptionalInt.of(sentence.at(index - 1).is("half") ? 6 : 12);
    }
    return sentence.at(index + 2).is("percentile", "percentiles")
        ? OptionalInt.empty()
        : TimeWords.number(sentence.at(index));
  }

  private static boolean isLimit(Sentence sentence, int index) {
    Token before = sentence.at(index - 1);
    Token after = sentence.at(index + 1);
    if (UNITS.contains(after.text())
        || before.is("first")
        || before.is("than", "least", "attempt", "version", "over", "under", "above", "#")) {
      return sentence.has(index - 3, "no", "more", "than");
    }
    return index == sentence.size() - 1
        || AROUND.contains(before.text())
        || AROUND.contains(after.text())
        || THINGS.contains(after.text())
        || THINGS.contains(sentence.at(index + 2).text())
        || sentence.slot(index - 1) == Slot.WHO;
  }

  /** "the last task", "my newest failure": one thing, though no number says so. */
  private static boolean oneIsMeant(Sentence sentence) {
    for (int i = 0; i < sentence.size(); i++) {
      if (!sentence.isFree(i) || !NEWEST.contains(sentence.at(i).text())) {
        continue;
      }
      for (int j = i + 1; j <= i + 3 && j < sentence.size(); j++) {
        String word = sentence.at(j).text();
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
