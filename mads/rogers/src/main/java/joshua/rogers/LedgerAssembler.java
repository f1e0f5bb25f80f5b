package joshua.rogers;

import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of a relay's ledger that wait for the others: of one ledger at a time, at most {@value
 * #SUBSCRIPTIONS} subscriptions, for {@link #WITHIN} from the first one on. Used by the thread that
 * reconciles alone.
 */
final class LedgerAssembler {
  /** As many as a ledger of {@value LedgerPage#PARTS} parts has that names 1 000 in each. */
  static final int SUBSCRIPTIONS = 64_000;

  /** Parts of a marker are published one after the other. */
  static final Duration WITHIN = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(LedgerAssembler.class);

  private final RelayId relay;
  private final Counter dropped;
  private final Map<Integer, LedgerPage> pages = new HashMap<>();
  private Instant since = Instant.EPOCH;

  /**
   * None yet.
   *
   * @param dropped counts the parts that are given up
   */
  LedgerAssembler(RelayId relay, Counter dropped) {
    this.relay = relay;
    this.dropped = dropped;
  }

  /** Adds a part; those of another ledger have waited in vain. */
  void add(LedgerPage page, Instant at) {
    if (pages.values().stream()
        .anyMatch(other -> other.marker() != page.marker() || other.parts() != page.parts())) {
      drop();
    }
    since = pages.isEmpty() ? at : since;
    pages.put(page.part(), page);
  }

  /** The subscriptions of all that wait. */
  int subscriptions() {
    return pages.values().stream().mapToInt(page -> page.subscriptions().size()).sum();
  }

  /** Whether none is missing. */
  boolean isWhole() {
    return pages.values().stream().anyMatch(page -> page.parts() == pages.size());
  }

  /** Gives all of them out. */
  List<LedgerPage> take() {
    List<LedgerPage> all = List.copyOf(pages.values());
    pages.clear();
    return all;
  }

  /** Gives all of them up. */
  void drop() {
    dropped.increment(pages.size());
    pages.clear();
  }

  /** Gives up what has waited for too long. */
  void expire(Instant now) {
    if (!pages.isEmpty() && !since.plus(WITHIN).isAfter(now)) {
      log.warn(
          "{} parts of a ledger of {} are given up: the others didn't come within {} s",
          pages.size(),
          relay,
          WITHIN.toSeconds());
      drop();
    }
  }
}
