package joshua.thought.reading;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import joshua.thought.reading.Sentence.Slot;
import joshua.thought.reading.Token.Kind;

/**
 * Takes whose tasks a question speaks of: names of participants, and "my", "mine", "did I send".
 */
final class WhoRules {
  private static final Set<String> MINE = Set.of("my", "mine", "myself");

  /** "for me" is the asker's; "tell me" is not. */
  private static final Set<String> BEFORE_ME = Set.of("for", "by", "from");

  /** What makes "I" the one who asked for tasks, and not the one who asks now. */
  private static final Set<String> DEEDS =
      Set.of(
          "ask",
          "asked",
          "burn",
          "burned",
          "cause",
          "caused",
          "commission",
          "commissioned",
          "create",
          "created",
          "did",
          "do",
          "fire",
          "fired",
          "gave",
          "get",
          "give",
          "given",
          "got",
          "had",
          "hand",
          "handed",
          "have",
          "launch",
          "launched",
          "made",
          "make",
          "own",
          "post",
          "posted",
          "put",
          "queue",
          "queued",
          "request",
          "requested",
          "run",
          "ran",
          "send",
          "sent",
          "spend",
          "spent",
          "start",
          "started",
          "submit",
          "submitted",
          "throw",
          "threw",
          "use",
          "used",
          "consume",
          "consumed",
          "issued",
          "filed",
          "placed",
          "kick",
          "kicked");

  private static final Set<String> MAY =
      Set.of("can", "may", "could", "should", "might", "must", "shall", "would", "will");

  /** Wishes to be told: "I want to see", "I'd like to know", "I have a question". */
  private static final Set<String> WISHES =
      Set.of(
          "want", "would", "wish", "need", "wonder", "think", "am", "lost", "hope", "guess",
          "believe", "suppose", "forgot", "like");

  /** Behind these, "me" is who is told, and says nothing of whose tasks. */
  private static final Set<String> TELLING =
      Set.of(
          "tell",
          "show",
          "give",
          "get",
          "fetch",
          "bring",
          "hand",
          "read",
          "print",
          "let",
          "list",
          "find",
          "remind",
          "inform",
          "update",
          "help",
          "excuse",
          "pass",
          "allow",
          "of",
          "enlighten",
          "throw",
          "lend",
          "grab",
          "pull",
          "report",
          "say",
          "spare");

  /** What of the asker's a MAD knows. */
  private static final Set<String> WORK =
      Vocabulary.stems(
          List.of(
              "task",
              "job",
              "request",
              "prompt",
              "submission",
              "failure",
              "error",
              "result",
              "answer",
              "usage",
              "token",
              "activity",
              "work",
              "stuff",
              "list",
              "history",
              "output",
              "consumption",
              "thing",
              "question",
              "query",
              "one",
              "failed",
              "pending",
              "running",
              "unfinished",
              "open",
              "completed",
              "response",
              "problem",
              "model",
              "llm",
              "text",
              "reply",
              "issue",
              "item",
              "run",
              "duration"));

  /** "Said to me" was the asker's answer; "explain to me" is only a wish. */
  private static final Set<String> SAID =
      Vocabulary.stems(
          List.of(
              "say",
              "said",
              "gave",
              "send",
              "sent",
              "came",
              "come",
              "back",
              "answered",
              "replied",
              "reply",
              "wrote",
              "write",
              "returned",
              "belong",
              "happened",
              "given",
              "told"));

  private static final Set<String> HIT =
      Vocabulary.stems(
          List.of(
              "hit", "plague", "affect", "concern", "gave", "sent", "told", "answered", "cost"));

  private static final Set<String> OTHERS =
      Set.of("others", "else", "else's", "somebody", "someone", "nobody", "anyone");

  private final Map<String, String> participants = new TreeMap<>();

  WhoRules(Set<String> participants) {
    participants.forEach(each -> this.participants.put(each.toLowerCase(Locale.ROOT), each));
  }

  List<String> takeNames(Sentence sentence, List<String> unreadable) {
    Set<String> names = new LinkedHashSet<>();
    for (int i = 0; i < sentence.size(); i++) {
      String name = sentence.isFree(i) ? participants.get(sentence.at(i).text()) : null;
      if (name != null) {
        if (excluded(sentence, i)) {
          unreadable.add("not " + name);
        }
        names.add(name);
        take(sentence, i);
      } else if (isStranger(sentence, i)) {
        unreadable.add(sentence.at(i).text());
      }
    }
    return new ArrayList<>(names);
  }

  private static void take(Sentence sentence, int index) {
    int from =
        index > 0 && sentence.isFree(index - 1) && sentence.at(index - 1).is("@")
            ? index - 1
            : index;
    boolean possessive = sentence.has(index + 1, "'s") || sentence.has(index + 1, "'");
    sentence.take(from, index + (possessive ? 2 : 1), Slot.WHO);
  }

  private static boolean excluded(Sentence sentence, int index) {
    for (int i = Math.max(0, index - 3); i < index; i++) {
      if (sentence.at(i).is("not", "except", "without", "besides", "but", "excluding", "than")) {
        return true;
      }
    }
    return false;
  }

  /** A name with a digit or hyphen that no participant has, or an "@name" of nobody. */
  private static boolean isStranger(Sentence sentence, int index) {
    Token token = sentence.at(index);
    if (!sentence.isFree(index) || token.kind() != Kind.WORD) {
      return false;
    }
    return sentence.at(index - 1).is("@")
        || (sentence.at(index - 1).is("requester", "user", "participant", "agent", "client")
            && token.text().matches(".*[0-9_-].*"));
  }

  /** Whether it speaks of what is the asker's. */
  Asker asker(Sentence sentence, List<String> unreadable) {
    Asker asker = Asker.NO;
    for (int i = 0; i < sentence.size(); i++) {
      Token token = sentence.at(i);
      if (!sentence.isFree(i)) {
        continue;
      }
      if (MINE.contains(token.text())) {
        asker = asker.or(mine(sentence, i));
      } else if (token.is("me")) {
        asker = asker.or(me(sentence, i));
      } else if (token.is("i")) {
        asker = asker.or(i(sentence, i));
      } else if (OTHERS.contains(token.text())) {
        unreadable.add(token.text());
      }
    }
    return asker;
  }

  /** "My tasks" are the asker's; "for my report" says nothing of tasks. */
  private static Asker mine(Sentence sentence, int index) {
    if (!sentence.at(index).is("my")) {
      return Asker.YES;
    }
    for (int i = index + 1; i <= index + 5 && i < sentence.size(); i++) {
      if (WORK.contains(Vocabulary.stem(sentence.at(i).text()))) {
        return Asker.YES;
      }
    }
    return Asker.PERHAPS;
  }

  private static Asker me(Sentence sentence, int index) {
    Token before = sentence.at(index - 1);
    Token further = sentence.at(index - 2);
    boolean reached = before.is("to") && SAID.contains(Vocabulary.stem(further.text()));
    if (BEFORE_ME.contains(before.text())
        || reached
        || HIT.contains(Vocabulary.stem(before.text()))) {
      return Asker.YES;
    }
    return TELLING.contains(before.text()) ? toldAt(sentence) : Asker.PERHAPS;
  }

  /** In "what did you get me" nobody wishes to be told. */
  private static Asker toldAt(Sentence sentence) {
    return sentence.at(0).is("what", "how", "which", "who", "why", "when", "where")
        ? Asker.PERHAPS
        : Asker.NO;
  }

  private static Asker i(Sentence sentence, int index) {
    Token before = sentence.at(index - 1);
    Token after = sentence.at(index + 1);
    boolean toldSomething = after.is("get", "have") && sentence.at(index + 2).is("a", "the", "to");
    boolean mustWait = sentence.has(index - 1, "do", "i", "have", "to");
    if (MAY.contains(before.text()) || WISHES.contains(after.text())) {
      return toldAt(sentence);
    }
    if (toldSomething || mustWait || before.is("am")) {
      return Asker.PERHAPS;
    }
    return DEEDS.contains(after.text()) || before.is("did", "have", "do", "had")
        ? Asker.YES
        : Asker.PERHAPS;
  }
}
