package joshua.rogers.loss;

import io.micrometer.core.instrument.Counter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import joshua.conversation.ChannelPattern;
import joshua.rogers.presence.KnownRelay;
import joshua.rogers.presence.RelayId;
import joshua.rogers.traffic.ChannelCounts.Slice;
import joshua.rogers.traffic.PublishedCounts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The relays that send ledgers, and what was published between their cuts (+RG-17); at most {@value
 * #LIMIT} relays, of which the longest silent is dropped first, and at most {@value #SUBSCRIPTIONS}
 * subscriptions in all their ledgers. Used by the thread that reconciles alone.
 */
public final class RelayAccounts {
  public static final int LIMIT = 64;

  /**
   * Room for the largest ledger and its successor that is arriving, or for two of half its size.
   */
  public static final int SUBSCRIPTIONS = 2 * LedgerAssembler.SUBSCRIPTIONS;

  private static final Logger log = LoggerFactory.getLogger(RelayAccounts.class);

  private final Map<RelayId, RelayAccount> relays = new HashMap<>();
  private final PublishedCounts publishedCounts = new PublishedCounts();
  private final Counter dropped;
  private boolean full;

  /**
   * Starts empty.
   *
   * @param dropped counts the parts of ledgers that are discarded
   */
  RelayAccounts(Counter dropped) {
    this.dropped = dropped;
  }

  /**
   * A marker was seen; {@code slice} is what was published since the previous marker of any relay.
   */
  void cut(LedgerPage.Marker marker, Instant at, Slice slice) {
    long position = publishedCounts.add(slice);
    RelayAccount relayAccount = relay(marker.relay(), at);
    if (relayAccount != null) {
      relayAccount.cut(marker.number(), position, at);
    }
    forget();
  }

  Optional<LedgerFindings> take(LedgerPage page, Instant at) {
    RelayAccount relayAccount = hasRoom(page) ? relay(page.relay(), at) : null;
    Optional<LedgerFindings> findings =
        relayAccount == null ? Optional.empty() : relayAccount.take(page, at, publishedCounts);
    if (relayAccount != null) {
      findings.ifPresent(found -> relayAccount.found(found.differences().size()));
    }
    forget();
    return findings;
  }

  /** Whether there is room for one more part; relays that have fallen silent free theirs. */
  private boolean hasRoom(LedgerPage page) {
    int held = relays.values().stream().mapToInt(RelayAccount::held).sum();
    boolean room = held + page.subscriptions().size() <= SUBSCRIPTIONS;
    if (!room) {
      dropped.increment();
    }
    if (!room && !full) {
      log.warn(
          "a ledger of {} is given up: those of {} relays name {} subscriptions already",
          page.relay(),
          relays.size(),
          held);
    }
    full = !room;
    return room;
  }

  /** Rogers may not have seen everything. */
  void broken(String why) {
    publishedCounts.breakOff();
    relays.values().forEach(relayAccount -> relayAccount.broken(why));
  }

  private @Nullable RelayAccount relay(RelayId id, Instant now) {
    RelayAccount known = relays.get(id);
    if (known != null) {
      return known;
    }
    if (relays.size() == LIMIT) {
      Optional<RelayId> silent =
          relays.entrySet().stream()
              .filter(each -> each.getValue().heard().plus(RelayAccount.SILENT_AFTER).isBefore(now))
              .min(Comparator.comparing(each -> each.getValue().heard()))
              .map(Map.Entry::getKey);
      if (silent.isEmpty()) {
        return null;
      }
      relays.remove(silent.get());
    }
    RelayAccount fresh = new RelayAccount(id, now, dropped);
    relays.put(id, fresh);
    return fresh;
  }

  private void forget() {
    publishedCounts.forget(
        relays.values().stream().mapToLong(RelayAccount::comparedTo).min().orElse(0));
  }

  /** The findings about relays that have fallen silent. */
  List<LedgerFindings> expire(Instant now) {
    List<LedgerFindings> findings = new ArrayList<>();
    relays.values().forEach(relayAccount -> relayAccount.expire(now).ifPresent(findings::add));
    return findings;
  }

  /** All relays as they are now, by name. */
  List<KnownRelay> known() {
    return relays.values().stream()
        .map(RelayAccount::known)
        .sorted(
            Comparator.comparing((KnownRelay relay) -> relay.id().name())
                .thenComparing(relay -> relay.id().instance())
                .thenComparing(relay -> relay.id().epoch()))
        .toList();
  }

  /** The subscriptions in all relays' last ledgers. */
  Set<String> patterns() {
    return relays.values().stream()
        .flatMap(relayAccount -> relayAccount.patterns().stream())
        .map(ChannelPattern::text)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
