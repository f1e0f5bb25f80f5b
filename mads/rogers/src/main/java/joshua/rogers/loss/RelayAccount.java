package joshua.rogers.loss;

import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import joshua.conversation.ChannelPattern;
import joshua.rogers.loss.LedgerFindings.Uncompared;
import joshua.rogers.presence.KnownRelay;
import joshua.rogers.presence.RelayId;
import joshua.rogers.traffic.PublishedCounts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The account of one run of a relay: its last complete ledger, and the cuts whose ledgers are still
 * to come. Used by the thread that reconciles alone.
 */
final class RelayAccount {
  private static final Logger log = LoggerFactory.getLogger(RelayAccount.class);

  /** Five missing ledgers. */
  static final Duration SILENT_AFTER = Duration.ofSeconds(10);

  /** Cuts whose ledgers may still come. */
  private static final int CUTS = 16;

  private record Moment(long position, Instant at) {}

  private final RelayId id;
  private final LinkedHashMap<Long, Moment> cuts = new LinkedHashMap<>();
  private final LedgerAssembler ledgerAssembler;
  private LedgerComparison.@Nullable Cut last;
  private @Nullable Instant silentSince;
  private String silentBecause = "";
  private Instant heard;
  private String brokenBecause = "";
  private long differences;

  /**
   * Starts uncompared.
   *
   * @param dropped counts the parts of ledgers that are discarded
   */
  RelayAccount(RelayId id, Instant now, Counter dropped) {
    this.id = id;
    this.heard = now;
    this.ledgerAssembler = new LedgerAssembler(id, dropped);
  }

  Instant heard() {
    return heard;
  }

  /** Adds the differences found in one comparison. */
  void found(int count) {
    differences += count;
  }

  KnownRelay known() {
    return new KnownRelay(
        id,
        heard,
        Optional.ofNullable(last).map(LedgerComparison.Cut::at),
        patterns().size(),
        differences);
  }

  /** The subscriptions in its last ledger. */
  Set<ChannelPattern> patterns() {
    return last == null ? Set.of() : last.subscriptions().keySet();
  }

  /** The subscriptions held for it: of its last ledger, and of the one that is arriving. */
  int held() {
    return patterns().size() + ledgerAssembler.subscriptions();
  }

  /** Up to where it has been compared: it no longer needs earlier slices. */
  long comparedTo() {
    if (last != null) {
      return last.position();
    }
    return cuts.isEmpty() ? Long.MAX_VALUE : cuts.firstEntry().getValue().position();
  }

  /** Its marker was seen. */
  void cut(long marker, long position, Instant at) {
    heard = at;
    cuts.put(marker, new Moment(position, at));
    if (cuts.size() > CUTS) {
      cuts.pollFirstEntry();
    }
  }

  /** Rogers didn't see everything: the next comparison states why it wasn't made. */
  void broken(String why) {
    brokenBecause = why;
  }

  /** Takes a page; returns findings if it completes a ledger. */
  Optional<LedgerFindings> take(LedgerPage page, Instant at, PublishedCounts publishedCounts) {
    heard = at;
    ledgerAssembler.add(page, at);
    if (ledgerAssembler.subscriptions() > LedgerAssembler.SUBSCRIPTIONS) {
      return tooLarge(at);
    }
    if (!ledgerAssembler.isWhole()) {
      return Optional.empty();
    }
    List<LedgerPage> whole = ledgerAssembler.take();
    Moment moment = cuts.remove(page.marker());
    cuts.keySet().removeIf(marker -> marker < page.marker());
    return Optional.of(moment == null ? withoutCut(whole) : at(moment, whole, publishedCounts));
  }

  /** A ledger that isn't compared: reported once, until a smaller one is. */
  private Optional<LedgerFindings> tooLarge(Instant at) {
    int subscriptions = ledgerAssembler.subscriptions();
    ledgerAssembler.drop();
    if (silentSince != null) {
      return Optional.empty();
    }
    String reason =
        "the ledger names more than %d subscriptions".formatted(LedgerAssembler.SUBSCRIPTIONS);
    log.warn("{} isn't compared from now on: {}", id, reason);
    Instant since = last == null ? at : last.at();
    silent(at, reason);
    return Optional.of(
        LedgerFindings.unheard(id, subscriptions, new Uncompared(since, at, reason)));
  }

  private void silent(Instant now, String because) {
    last = null;
    silentSince = now;
    silentBecause = because;
  }

  /** A ledger whose marker Rogers hasn't seen, or has dropped: the next one is compared. */
  private LedgerFindings withoutCut(List<LedgerPage> whole) {
    return new LedgerFindings(
        id,
        heard,
        1,
        0,
        whole.stream().mapToInt(page -> page.subscriptions().size()).sum(),
        0,
        0,
        List.of(),
        losers(whole),
        Optional.empty());
  }

  private LedgerFindings at(
      Moment moment, List<LedgerPage> whole, PublishedCounts publishedCounts) {
    Map<ChannelPattern, LedgerPage.Received> subscriptions = new HashMap<>();
    whole.forEach(page -> subscriptions.putAll(page.subscriptions()));
    Optional<LedgerPage.Pairs> pairs =
        whole.stream().flatMap(page -> page.pairs().stream()).findFirst();
    LedgerComparison.Cut before = last;
    LedgerComparison.Cut after =
        new LedgerComparison.Cut(moment.position(), moment.at(), subscriptions, pairs);
    Optional<Uncompared> silence =
        Optional.ofNullable(silentSince)
            .map(since -> new Uncompared(since, moment.at(), silentBecause));
    last = after;
    silentSince = null;
    if (before == null) {
      return new LedgerFindings(
          id, moment.at(), 1, 0, subscriptions.size(), 0, 0, List.of(), losers(whole), silence);
    }
    Optional<Map<String, Long>> published =
        publishedCounts.between(before.position(), after.position());
    Optional<Uncompared> uncompared =
        reason(before, after, published.isPresent())
            .map(why -> new Uncompared(before.at(), after.at(), why));
    brokenBecause = "";
    return new LedgerComparison(before, after).findings(id, published, losers(whole), uncompared);
  }

  private Optional<String> reason(
      LedgerComparison.Cut before, LedgerComparison.Cut after, boolean counted) {
    if (!counted) {
      return Optional.of(
          brokenBecause.isEmpty()
              ? "more channels or slices than Rogers tells apart"
              : "Rogers wasn't watching: " + brokenBecause);
    }
    List<ChannelPattern> common =
        after.subscriptions().keySet().stream()
            .filter(before.subscriptions()::containsKey)
            .toList();
    boolean anew =
        common.stream().noneMatch(pattern -> since(before, pattern) == since(after, pattern));
    return anew && !common.isEmpty()
        ? Optional.of("the relay's connection to Redis was away")
        : Optional.empty();
  }

  private static long since(LedgerComparison.Cut cut, ChannelPattern pattern) {
    LedgerPage.Received received = cut.subscriptions().get(pattern);
    return received == null ? -1 : received.sinceMarker();
  }

  private static List<LedgerPage.Loser> losers(List<LedgerPage> whole) {
    return whole.stream().flatMap(page -> page.losers().stream()).toList();
  }

  /**
   * Stops waiting when no ledger has come for {@link #SILENT_AFTER}, and for the other parts of
   * one.
   */
  Optional<LedgerFindings> expire(Instant now) {
    ledgerAssembler.expire(now);
    LedgerComparison.Cut before = last;
    if (before == null || heard.plus(SILENT_AFTER).isAfter(now)) {
      return Optional.empty();
    }
    silent(now, "the relay told no ledger");
    long waiting = before.pairs().map(LedgerPage.Pairs::waiting).orElse(0L);
    String reason =
        "the relay fell silent; %d messages waited for its clients at its last ledger"
            .formatted(waiting);
    return Optional.of(
        LedgerFindings.unheard(
            id, before.subscriptions().size(), new Uncompared(before.at(), now, reason)));
  }
}
