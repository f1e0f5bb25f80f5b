package joshua.rogers.loss;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import joshua.conversation.ChannelPattern;
import joshua.rogers.loss.LedgerFindings.Difference;
import joshua.rogers.loss.LedgerFindings.Hop;
import joshua.rogers.presence.RelayId;

/** Compares two successive ledgers of one relay with what Rogers counted between their cuts. */
final class LedgerComparison {
  /** Globs × channels that are matched for one ledger; beyond that, globs aren't compared. */
  static final long MATCH_LIMIT = 2_000_000;

  /** Differences of one ledger that are reported one by one; the rest are reported together. */
  static final int DIFFERENCE_LIMIT = 100;

  /** The subscription name of the differences beyond that limit. */
  static final String OTHERS = "*";

  /** A complete ledger at its cut. */
  record Cut(
      long position,
      Instant at,
      Map<ChannelPattern, LedgerPage.Received> subscriptions,
      Optional<LedgerPage.Pairs> pairs) {}

  private final Cut before;
  private final Cut after;
  private final List<Difference> differences = new ArrayList<>();
  private int compared;
  private int notComparable;
  private long messages;
  private long dropped;

  LedgerComparison(Cut before, Cut after) {
    this.before = before;
    this.after = after;
  }

  /** Applies rules 1 and 2; without {@code published}, which may be unknown, rule 2 alone. */
  LedgerFindings findings(
      RelayId relay,
      Optional<Map<String, Long>> published,
      List<LedgerPage.Loser> losers,
      Optional<LedgerFindings.Uncompared> uncompared) {
    published.ifPresentOrElse(
        this::compareSubscriptions, () -> notComparable += after.subscriptions().size());
    if (before.pairs().isPresent() && after.pairs().isPresent()) {
      comparePairs(before.pairs().get(), after.pairs().get());
    }
    return new LedgerFindings(
        relay,
        after.at(),
        1,
        compared,
        notComparable,
        messages,
        dropped,
        bounded(),
        losers,
        uncompared);
  }

  private void compareSubscriptions(Map<String, Long> published) {
    long globs = after.subscriptions().keySet().stream().filter(ChannelPattern::isGlob).count();
    boolean tooMany = globs * published.size() > MATCH_LIMIT;
    after
        .subscriptions()
        .forEach((pattern, received) -> {
          LedgerPage.Received earlier = before.subscriptions().get(pattern);
          if (earlier == null
              || earlier.sinceMarker() != received.sinceMarker()
              || (tooMany && pattern.isGlob())) {
            notComparable++;
          } else {
            compare(pattern, matching(pattern, published), received.copies() - earlier.copies());
          }
        });
  }

  private static long matching(ChannelPattern pattern, Map<String, Long> published) {
    return pattern.isGlob()
        ? published.entrySet().stream()
            .filter(channel -> pattern.matches(channel.getKey()))
            .mapToLong(Map.Entry::getValue)
            .sum()
        : published.getOrDefault(pattern.text(), 0L);
  }

  private void compare(ChannelPattern pattern, long expected, long actual) {
    compared++;
    messages += expected;
    if (expected != actual) {
      String reason =
          expected > actual
              ? "fewer received than were published"
              : "more received than were published";
      differences.add(
          new Difference(
              before.at(), after.at(), Hop.TO_RELAY, pattern.text(), expected, actual, reason));
    }
  }

  private void comparePairs(LedgerPage.Pairs earlier, LedgerPage.Pairs later) {
    compared++;
    dropped = Math.max(0, later.lost() - earlier.lost());
    long expected = later.matched() - earlier.matched();
    long actual = later.accountedFor() - earlier.accountedFor();
    if (expected != actual) {
      String reason =
          expected > actual
              ? "neither delivered nor dropped nor waiting"
              : "more delivered, dropped or waiting than matched";
      differences.add(
          new Difference(
              before.at(), after.at(), Hop.TO_CLIENTS, "pairs", expected, actual, reason));
    }
  }

  private List<Difference> bounded() {
    if (differences.size() <= DIFFERENCE_LIMIT) {
      return List.copyOf(differences);
    }
    List<Difference> told = new ArrayList<>(differences.subList(0, DIFFERENCE_LIMIT));
    Map<Hop, List<Difference>> rest = new HashMap<>();
    differences
        .subList(DIFFERENCE_LIMIT, differences.size())
        .forEach(each -> rest.computeIfAbsent(each.hop(), hop -> new ArrayList<>()).add(each));
    rest.forEach((hop, together) ->
        told.add(
            new Difference(
                before.at(),
                after.at(),
                hop,
                OTHERS,
                together.stream().mapToLong(Difference::expected).sum(),
                together.stream().mapToLong(Difference::actual).sum(),
                "further differences of the same ledger")));
    return told;
  }
}
