package joshua.thought.reading;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Extracts the task states that a question mentions (wire contract §4). Claims no token. */
final class StatusRules {
  static final String UNFINISHED = "unfinished";

  private static final Map<String, Set<String>> WORDS =
      Map.of(
          "PENDING",
          Set.of("pending", "waiting", "queued", "enqueued", "unstarted", "wait", "waits"),
          "RUNNING",
          Set.of("running", "executing", "underway", "executed"),
          "STREAMING",
          Set.of("streaming", "stream"),
          "COMPLETED",
          Set.of(
              "completed",
              "complete",
              "finished",
              "finish",
              "done",
              "succeeded",
              "succeed",
              "successful",
              "successfully",
              "completes"),
          "FAILED",
          Set.of(
              "failed",
              "fail",
              "fails",
              "failing",
              "failure",
              "failures",
              "error",
              "errors",
              "errored",
              "crashed",
              "unsuccessful",
              "unsuccessfully",
              "broke",
              "broken"),
          UNFINISHED,
          Set.of(
              "unfinished",
              "open",
              "outstanding",
              "incomplete",
              "uncompleted",
              "ongoing",
              "unresolved"));

  private static final Map<String, List<String[]>> PHRASES =
      Map.of(
          "PENDING",
          List.of(
              new String[] {"in", "line"},
              new String[] {"in", "the", "queue"},
              new String[] {"in", "queue"}),
          "RUNNING",
          List.of(
              new String[] {"in", "progress"},
              new String[] {"in-progress"},
              new String[] {"in", "flight"},
              new String[] {"being", "worked", "on"},
              new String[] {"being", "processed"},
              new String[] {"being", "done"},
              new String[] {"being", "handled"},
              new String[] {"working", "on"}),
          "FAILED",
          List.of(
              new String[] {"went", "wrong"},
              new String[] {"gone", "wrong"},
              new String[] {"goes", "wrong"},
              new String[] {"go", "wrong"}),
          "COMPLETED",
          List.<String[]>of(new String[] {"went", "well"}),
          UNFINISHED,
          List.of(
              new String[] {"left", "to", "do"},
              new String[] {"left", "over"},
              new String[] {"still", "going"},
              new String[] {"in", "the", "works"},
              new String[] {"to", "be", "done"}));

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
      WORDS.forEach((status, words) -> {
        if (words.contains(tokenizedQuestion.at(at).text())) {
          note(status, at, tokenizedQuestion, found, unreadable);
        }
      });
      PHRASES.forEach((status, phrases) -> {
        if (phrases.stream().anyMatch(phrase -> tokenizedQuestion.has(at, phrase))) {
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
