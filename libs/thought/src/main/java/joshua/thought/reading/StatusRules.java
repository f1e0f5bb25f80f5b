package joshua.thought.reading;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Extracts the task states that a question mentions (wire contract §4). Claims no token. */
final class StatusRules {
  static final String UNFINISHED = "unfinished";

  /** The states by the words for them. */
  private static final Map<List<String>, String> WORDS =
      RuleWords.values("status").entrySet().stream()
          .collect(
              Collectors.toUnmodifiableMap(
                  each -> List.of(each.getKey().split(" ", -1)), Map.Entry::getValue));

  private StatusRules() {}

  static Set<String> in(TokenizedQuestion tokenizedQuestion, List<String> unreadable) {
    Set<String> found = new LinkedHashSet<>();
    for (int i = 0; i < tokenizedQuestion.size(); i++) {
      if (!tokenizedQuestion.isFree(i)
          || isOpening(tokenizedQuestion, i)
          || belongsToAnother(tokenizedQuestion, i)) {
        continue;
      }
      int at = i;
      WORDS.forEach((words, status) -> {
        if (tokenizedQuestion.has(at, words)) {
          note(status, at, tokenizedQuestion, found, unreadable);
        }
      });
    }
    if (found.contains(UNFINISHED) && found.size() == 2 && found.contains("PENDING")) {
      found.remove("PENDING");
    }
    return found;
  }

  /** "open the result" isn't a state. */
  private static boolean isOpening(TokenizedQuestion tokenizedQuestion, int index) {
    return tokenizedQuestion.at(index).is("open")
        && (index == 0 || tokenizedQuestion.at(index - 1).is("please", "pls", "to", "you"))
        && (tokenizedQuestion.at(index + 1).is("the", "my", "it", "up")
            || tokenizedQuestion.slot(index + 1) != TokenizedQuestion.Slot.NONE);
  }

  /** "being done", "to be done", "fail to complete": part of the state in the words before. */
  private static boolean belongsToAnother(TokenizedQuestion tokenizedQuestion, int index) {
    QuestionToken before = tokenizedQuestion.at(index - 1);
    return (tokenizedQuestion.at(index).is("done") && before.is("being"))
        || (tokenizedQuestion.at(index).is("done")
            && before.is("be")
            && tokenizedQuestion.at(index - 2).is("to"))
        || (before.is("to") && tokenizedQuestion.at(index - 2).is("fail", "failed", "fails"));
  }

  private static void note(
      String status,
      int at,
      TokenizedQuestion tokenizedQuestion,
      Set<String> found,
      List<String> unreadable) {
    if (!isDenied(tokenizedQuestion, at)) {
      found.add(status);
    } else if (status.equals("COMPLETED")) {
      found.add(UNFINISHED);
    } else {
      unreadable.add("not " + status);
    }
  }

  /** "isn't finished", "not yet done", "haven't been completed". */
  static boolean isDenied(TokenizedQuestion tokenizedQuestion, int at) {
    for (int i = Math.max(0, at - 4); i < at; i++) {
      QuestionToken questionToken = tokenizedQuestion.at(i);
      if (questionToken.is("not", "never", "without", "un")
          || (questionToken.text().endsWith("n't") && !questionToken.is("don't"))) {
        return true;
      }
    }
    return false;
  }
}
