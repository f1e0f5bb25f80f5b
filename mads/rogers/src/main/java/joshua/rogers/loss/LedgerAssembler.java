package joshua.rogers.loss;

import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import joshua.rogers.presence.RelayId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects the parts of a relay's ledger until all have arrived: of one ledger at a time, at most
 * {@value #SUBSCRIPTIONS} subscriptions, for {@link #WITHIN} from the first one on. Used by the
 * thread that reconciles alone.
 */
final class LedgerAssembler {
  /** As many as a ledger of {@value LedgerPage#PARTS} parts with 1 000 subscriptions each has. */
  static final int SUBSCRIPTIONS = 64_000;

  /** The parts of one marker's ledger are published one after the other. */
  static final Duration WITHIN = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(LedgerAssembler.class);

  private final RelayId relay;
  private final Counter dropped;
  private final Map<Integer, LedgerPage> pages = new HashMap<>();
  private Instant since = Instant.EPOCH;

  /**
   * Starts empty.
   *
   * @param dropped counts the parts that are discarded
   */
  LedgerAssembler(RelayId relay, Counter dropped) {
    this.relay = relay;
    this.dropped = dropped;
  }

  /** Adds a part, discarding parts of another ledger. */
  void add(LedgerPage page, Instant at) {
    if (pages.values().stream()
        .anyMatch(other -> other.marker() != page.marker() || other.parts() != page.parts())) {
      drop();
    }
    since = pages.isEmpty() ? at : since;
    pages.put(page.part(), page);
  }

  /** The subscriptions in all waiting parts. */
  int subscriptions() {
    return pages.values().stream().mapToInt(page -> page.subscriptions().size()).sum();
  }

  /** Whether no part is missing. */
  boolean isWhole() {
    return pages.values().stream().anyMatch(page -> page.parts() == pages.size());
  }

  /** Removes and returns all parts. */
  List<LedgerPage> take() {
    List<LedgerPage> all = List.copyOf(pages.values());
    pages.clear();
    return all;
  }

  /** Discards all parts. */
  void drop() {
    dropped.increment(pages.size());
    pages.clear();
  }

  /** Discards parts that have waited for too long. */
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
