package joshua.thought.reading;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import joshua.thought.reading.Sentence.Slot;
import joshua.thought.reading.Token.Kind;

/**
 * Takes whose tasks a question speaks of: names of participants, and "my", "mine", "did I send".
 */
final class WhoRules {
  /** Who is asked; "bob, how many tasks?" is about him. */
  private static final Set<String> ASKED = Set.of("grace", "fiedler", "rogers");

  private final Names participants;

  WhoRules(Set<String> participants) {
    this.participants = new Names(participants);
  }

  List<String> takeNames(Sentence sentence, List<String> unreadable) {
    Set<String> names = new LinkedHashSet<>();
    for (int i = 0; i < sentence.size(); i++) {
      Optional<Names.Named> named = participants.at(sentence, i);
      if (named.isPresent()
          && ASKED.contains(named.get().name())
          && isAddressed(sentence, i, named.get().tokens())) {
        sentence.take(i, i + named.get().tokens(), Slot.ADDRESS);
      } else if (named.isPresent()) {
        String name = named.get().name();
        if (excluded(sentence, i)) {
          unreadable.add("not " + name);
        }
        if (named.get().doubtful()) {
          unreadable.add(name);
        }
        names.add(name);
        take(sentence, i, named.get().tokens());
      } else if (isStranger(sentence, i)) {
        unreadable.add(sentence.at(i).text());
      }
    }
    return new ArrayList<>(names);
  }

  /**
   * Whether somebody is spoken to: "Grace, who is there?", "hey grace, who is there?", "who is
   * there, grace?"
   */
  private static boolean isAddressed(Sentence sentence, int index, int tokens) {
    Token after = sentence.at(index + tokens);
    boolean last = index + tokens == sentence.size() || after.is("?", "!", ".");
    return (index == 0 && after.is(",", ":", "!"))
        || (index == 1 && sentence.at(0).is("hi", "hey", "hello", "dear", "ok", "so", "yo"))
        || (index > 1 && last && sentence.at(index - 1).is(","));
  }

  private static void take(Sentence sentence, int index, int tokens) {
    int from =
        index > 0 && sentence.isFree(index - 1) && sentence.at(index - 1).is("@")
            ? index - 1
            : index;
    int next = index + tokens;
    boolean possessive = sentence.has(next, "'s") || sentence.has(next, "'");
    sentence.take(from, next + (possessive ? 1 : 0), Slot.WHO);
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
      if (WhoWords.MINE.contains(token.text())) {
        asker = asker.or(mine(sentence, i));
      } else if (token.is("me")) {
        asker = asker.or(me(sentence, i));
      } else if (token.is("i")) {
        asker = asker.or(i(sentence, i));
      } else if (WhoWords.OTHERS.contains(token.text())) {
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
      if (i == index + 1 && TimeWords.number(sentence.at(i)).isPresent()) {
        return Asker.YES;
      }
      if (WhoWords.WORK.contains(Vocabulary.stem(sentence.at(i).text()))) {
        return Asker.YES;
      }
    }
    return Asker.PERHAPS;
  }

  private static Asker me(Sentence sentence, int index) {
    Token before = sentence.at(index - 1);
    Token further = sentence.at(index - 2);
    if (before.is("for") && isCourtesy(sentence, index)) {
      return Asker.NO;
    }
    boolean reached = before.is("to") && WhoWords.SAID.contains(Vocabulary.stem(further.text()));
    if (WhoWords.BEFORE_ME.contains(before.text())
        || WhoWords.SEEN.contains(before.text())
        || reached
        || WhoWords.HIT.contains(Vocabulary.stem(before.text()))) {
      return Asker.YES;
    }
    if (further.is("you") && sentence.at(index - 3).is("did", "have", "had")) {
      return Asker.YES;
    }
    boolean asked = further.is("you") && WhoWords.MAY.contains(sentence.at(index - 3).text());
    if (asked || index == 1) {
      return Asker.NO;
    }
    return WhoWords.TELLING.contains(before.text()) ? toldAt(sentence) : Asker.PERHAPS;
  }

  /** "Could you count bob's tasks for me": they are bob's. */
  private static boolean isCourtesy(Sentence sentence, int index) {
    boolean somebodyElse = false;
    for (int i = 0; i < sentence.size(); i++) {
      somebodyElse |= sentence.slot(i) == Slot.WHO;
    }
    boolean last = index == sentence.size() - 1 || sentence.at(index + 1).is("?", ".", ",");
    return somebodyElse && last && WhoWords.COURTEOUS.contains(sentence.at(0).text());
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
    boolean wonders =
        after.is("was") && sentence.at(index + 2).is("wondering", "curious", "asking");
    if (wonders || after.is("expect")) {
      return Asker.NO;
    }
    if (before.is("am") && sentence.at(index + 1).is("still", "waiting")) {
      return Asker.YES;
    }
    boolean toldSomething = after.is("get", "have") && sentence.at(index + 2).is("a", "the", "to");
    boolean mustWait = sentence.has(index - 1, "do", "i", "have", "to");
    if (WhoWords.MAY.contains(before.text()) || WhoWords.WISHES.contains(after.text())) {
      return toldAt(sentence);
    }
    if (before.is("am", "was") && WhoWords.PRESENT.contains(after.text())) {
      return Asker.YES;
    }
    if (toldSomething || mustWait || before.is("am")) {
      return Asker.PERHAPS;
    }
    return WhoWords.DEEDS.contains(after.text()) || before.is("did", "have", "do", "had")
        ? Asker.YES
        : Asker.PERHAPS;
  }
}
