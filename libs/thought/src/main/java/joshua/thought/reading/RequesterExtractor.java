package joshua.thought.reading;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import joshua.thought.reading.QuestionToken.Kind;
import joshua.thought.reading.TokenizedQuestion.Slot;

/**
 * Extracts the requester whose tasks a question is about: names of participants, and "my", "mine",
 * "did I send".
 */
final class RequesterExtractor {
  /** The services that are asked; "bob, how many tasks?" is about bob. */
  private static final Set<String> ASKED = Set.of("grace", "fiedler", "rogers");

  private static final Set<String> MINE = Set.of("my", "mine", "myself");

  /** "for me" is the asker's; "tell me" is not. */
  private static final Set<String> BEFORE_ME = Set.of("for", "by", "from", "on");

  private static final Set<String> DEEDS = RuleWords.list("deeds");
  private static final Set<String> MAY = RuleWords.list("may");
  private static final Set<String> WISHES = RuleWords.list("wishes");
  private static final Set<String> TELLING = RuleWords.list("telling");
  private static final Set<String> WORK = RuleWords.stems("work");
  private static final Set<String> SAID = RuleWords.stems("said");
  private static final Set<String> HIT = RuleWords.stems("hit");
  private static final Set<String> PRESENT = RuleWords.list("present");
  private static final Set<String> SEEN = RuleWords.list("seen");
  private static final Set<String> COURTEOUS = RuleWords.list("courteous");
  private static final Set<String> OTHERS = RuleWords.list("others");

  private final ParticipantNames participants;

  RequesterExtractor(Set<String> participants) {
    this.participants = new ParticipantNames(participants);
  }

  List<String> takeNames(TokenizedQuestion tokenizedQuestion, List<String> unreadable) {
    Set<String> names = new LinkedHashSet<>();
    for (int i = 0; i < tokenizedQuestion.size(); i++) {
      Optional<ParticipantNames.Named> named = participants.at(tokenizedQuestion, i);
      if (named.isPresent()
          && ASKED.contains(named.get().name())
          && isAddressed(tokenizedQuestion, i, named.get().tokens())) {
        tokenizedQuestion.take(i, i + named.get().tokens(), Slot.ADDRESS);
      } else if (named.isPresent()) {
        String name = named.get().name();
        if (excluded(tokenizedQuestion, i)) {
          unreadable.add("not " + name);
        }
        if (named.get().doubtful()) {
          unreadable.add(name);
        }
        names.add(name);
        take(tokenizedQuestion, i, named.get().tokens());
      } else if (isStranger(tokenizedQuestion, i)) {
        unreadable.add(tokenizedQuestion.at(i).text());
      }
    }
    return new ArrayList<>(names);
  }

  /**
   * Whether the question addresses a service: "Grace, who is there?", "hey grace, who is there?",
   * "who is there, grace?"
   */
  private static boolean isAddressed(TokenizedQuestion tokenizedQuestion, int index, int tokens) {
    QuestionToken after = tokenizedQuestion.at(index + tokens);
    boolean last = index + tokens == tokenizedQuestion.size() || after.is("?", "!", ".");
    return (index == 0 && after.is(",", ":", "!"))
        || (index == 1
            && tokenizedQuestion.at(0).is("hi", "hey", "hello", "dear", "ok", "so", "yo"))
        || (index > 1 && last && tokenizedQuestion.at(index - 1).is(","));
  }

  private static void take(TokenizedQuestion tokenizedQuestion, int index, int tokens) {
    int from =
        index > 0 && tokenizedQuestion.isFree(index - 1) && tokenizedQuestion.at(index - 1).is("@")
            ? index - 1
            : index;
    int next = index + tokens;
    boolean possessive = tokenizedQuestion.has(next, "'s") || tokenizedQuestion.has(next, "'");
    tokenizedQuestion.take(from, next + (possessive ? 1 : 0), Slot.WHO);
  }

  private static boolean excluded(TokenizedQuestion tokenizedQuestion, int index) {
    for (int i = Math.max(0, index - 3); i < index; i++) {
      if (tokenizedQuestion
          .at(i)
          .is("not", "except", "without", "besides", "but", "excluding", "than")) {
        return true;
      }
    }
    return false;
  }

  /** A name with a digit or hyphen, or an "@name", that isn't a participant's. */
  private static boolean isStranger(TokenizedQuestion tokenizedQuestion, int index) {
    QuestionToken questionToken = tokenizedQuestion.at(index);
    if (!tokenizedQuestion.isFree(index) || questionToken.kind() != Kind.WORD) {
      return false;
    }
    return tokenizedQuestion.at(index - 1).is("@")
        || (tokenizedQuestion
                .at(index - 1)
                .is("requester", "user", "participant", "agent", "client")
            && questionToken.text().matches(".*[0-9_-].*"));
  }

  /** Whether the question refers to the asker's own things. */
  AskerWords asker(TokenizedQuestion tokenizedQuestion, List<String> unreadable) {
    AskerWords askerWords = AskerWords.NO;
    for (int i = 0; i < tokenizedQuestion.size(); i++) {
      QuestionToken questionToken = tokenizedQuestion.at(i);
      if (!tokenizedQuestion.isFree(i)) {
        continue;
      }
      if (MINE.contains(questionToken.text())) {
        askerWords = askerWords.or(mine(tokenizedQuestion, i));
      } else if (questionToken.is("me")) {
        askerWords = askerWords.or(me(tokenizedQuestion, i));
      } else if (questionToken.is("i")) {
        askerWords = askerWords.or(i(tokenizedQuestion, i));
      } else if (OTHERS.contains(questionToken.text())) {
        unreadable.add(questionToken.text());
      }
    }
    return askerWords;
  }

  /** "My tasks" are the asker's; "for my report" isn't about tasks. */
  private static AskerWords mine(TokenizedQuestion tokenizedQuestion, int index) {
    if (!tokenizedQuestion.at(index).is("my")) {
      return AskerWords.YES;
    }
    for (int i = index + 1; i <= index + 5 && i < tokenizedQuestion.size(); i++) {
      if (i == index + 1 && TimeWords.number(tokenizedQuestion.at(i)).isPresent()) {
        return AskerWords.YES;
      }
      if (WORK.contains(QuestionVocabulary.stem(tokenizedQuestion.at(i).text()))) {
        return AskerWords.YES;
      }
    }
    return AskerWords.PERHAPS;
  }

  private static AskerWords me(TokenizedQuestion tokenizedQuestion, int index) {
    QuestionToken before = tokenizedQuestion.at(index - 1);
    QuestionToken further = tokenizedQuestion.at(index - 2);
    if (before.is("for") && isCourtesy(tokenizedQuestion, index)) {
      return AskerWords.NO;
    }
    boolean reached = before.is("to") && SAID.contains(QuestionVocabulary.stem(further.text()));
    if (BEFORE_ME.contains(before.text())
        || SEEN.contains(before.text())
        || reached
        || HIT.contains(QuestionVocabulary.stem(before.text()))) {
      return AskerWords.YES;
    }
    if (further.is("you") && tokenizedQuestion.at(index - 3).is("did", "have", "had")) {
      return AskerWords.YES;
    }
    boolean asked = further.is("you") && MAY.contains(tokenizedQuestion.at(index - 3).text());
    if (asked || index == 1) {
      return AskerWords.NO;
    }
    return TELLING.contains(before.text()) ? toldAt(tokenizedQuestion) : AskerWords.PERHAPS;
  }

  /** "Could you count bob's tasks for me": they are bob's. */
  private static boolean isCourtesy(TokenizedQuestion tokenizedQuestion, int index) {
    boolean somebodyElse = false;
    for (int i = 0; i < tokenizedQuestion.size(); i++) {
      somebodyElse |= tokenizedQuestion.slot(i) == Slot.WHO;
    }
    boolean last =
        index == tokenizedQuestion.size() - 1 || tokenizedQuestion.at(index + 1).is("?", ".", ",");
    return somebodyElse && last && COURTEOUS.contains(tokenizedQuestion.at(0).text());
  }

  /** In "what did you get me", "me" isn't merely the recipient of the answer. */
  private static AskerWords toldAt(TokenizedQuestion tokenizedQuestion) {
    return tokenizedQuestion.at(0).is("what", "how", "which", "who", "why", "when", "where")
        ? AskerWords.PERHAPS
        : AskerWords.NO;
  }

  private static AskerWords i(TokenizedQuestion tokenizedQuestion, int index) {
    QuestionToken before = tokenizedQuestion.at(index - 1);
    QuestionToken after = tokenizedQuestion.at(index + 1);
    boolean wonders =
        after.is("was") && tokenizedQuestion.at(index + 2).is("wondering", "curious", "asking");
    if (wonders || after.is("expect")) {
      return AskerWords.NO;
    }
    if (before.is("am") && tokenizedQuestion.at(index + 1).is("still", "waiting")) {
      return AskerWords.YES;
    }
    boolean toldSomething =
        after.is("get", "have") && tokenizedQuestion.at(index + 2).is("a", "the", "to");
    boolean mustWait = tokenizedQuestion.has(index - 1, "do", "i", "have", "to");
    if (MAY.contains(before.text()) || WISHES.contains(after.text())) {
      return toldAt(tokenizedQuestion);
    }
    if (before.is("am", "was") && PRESENT.contains(after.text())) {
      return AskerWords.YES;
    }
    if (toldSomething || mustWait || before.is("am")) {
      return AskerWords.PERHAPS;
    }
    return DEEDS.contains(after.text()) || before.is("did", "have", "do", "had")
        ? AskerWords.YES
        : AskerWords.PERHAPS;
  }
}
