package joshua.thought.grounding;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.thought.AnswerVerification;
import joshua.thought.Evidence;

/**
 * A check that every number, every time and every participant's name in a wording occurs in the
 * rows (+RG-16). List numbers, ranks and dates aren't taken for claims where they can be told
 * apart; a name or a time among a query's arguments counts as evidence, too. In doubt a wording is
 * dropped: the rows are then shown, which are never wrong.
 */
public final class EvidenceCheck implements AnswerVerification {
  private static final Pattern NUMBERING =
      Pattern.compile(
          "(?m)^([ \\t>#*_-]*)(?:Step )?\\(?(\\d{1,3})(?:[.):]| of \\d{1,2}:)(?=[\\s*_])");

  private final Supplier<Set<String>> participants;
  private final Set<String> fine;

  /**
   * Creates a check.
   *
   * @param participants all known participants; requested once for each answer
   * @param fine words that are never names, whatever they look like
   */
  public EvidenceCheck(Supplier<Set<String>> participants, Set<String> fine) {
    this.participants = participants;
    this.fine = Set.copyOf(fine);
  }

  @Override
  public Optional<String> unfounded(String text, List<Evidence> evidence) {
    EvidenceIndex evidenceIndex = new EvidenceIndex(evidence);
    String plain = withoutNumbering(plain(text));
    Matcher times = StatedTime.WRITTEN.matcher(plain);
    Optional<String> time =
        times
            .results()
            .filter(found -> StatedTime.of(found).filter(evidenceIndex::time).isEmpty())
            .map(MatchResult::group)
            .findFirst();
    if (time.isPresent()) {
      return time;
    }
    String rest = times.replaceAll(" ");
    return new StatedNames(participants.get(), fine)
        .unfounded(rest, evidenceIndex)
        .or(() -> StatedNumbers.unfounded(rest, evidenceIndex));
  }

  /** Normalizes variants of a sign to one, and removes emphasis. */
  private static String plain(String text) {
    return text.replaceAll("[’‘]", "'")
        .replaceAll("[“”]", "\"")
        .replaceAll("[–—]", " - ")
        .replace('\u00a0', ' ')
        .replace("*", "");
  }

  /** Only numbers that count up from 1 are list numbers. */
  private static String withoutNumbering(String text) {
    int[] last = {0};
    return NUMBERING
        .matcher(text)
        .replaceAll(found -> {
          int number = Integer.parseInt(found.group(2));
          if (number != 1 && number != last[0] + 1) {
            return Matcher.quoteReplacement(found.group());
          }
          last[0] = number;
          return Matcher.quoteReplacement(found.group(1));
        });
  }
}
