package joshua.rogers;

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
import joshua.rogers.ChannelCounts.Slice;
import org.jspecify.annotations.Nullable;

/**
 * The relays that tell ledgers, and what was published between their cuts (+RG-17); at most {@value
 * #LIMIT} relays, the longest silent goes first. Used by the thread that reconciles alone.
 */
final class Relays {
  static final int LIMIT = 64;

  private final Map<RelayId, Relay> relays = new HashMap<>();
  private final Slices slices = new Slices();

  /** A marker went by; {@code slice} is what was published since the one before, of whichever. */
  void cut(LedgerPage.Marker marker, Instant at, Slice slice) {
    long position = slices.add(slice);
    Relay relay = relay(marker.relay(), at);
    if (relay != null) {
      relay.cut(marker.number(), position, at);
    }
    forget();
  }

  Optional<Findings> take(LedgerPage page, Instant at) {
    Relay relay = relay(page.relay(), at);
    Optional<Findings> findings = relay == null ? Optional.empty() : relay.take(page, at, slices);
    if (relay != null) {
      findings.ifPresent(found -> relay.found(found.differences().size()));
    }
    forget();
    return findings;
  }

  /** Rogers may not have seen everything. */
  void broken(String why) {
    slices.breakOff();
    relays.values().forEach(relay -> relay.broken(why));
  }

  private @Nullable Relay relay(RelayId id, Instant now) {
    Relay known = relays.get(id);
    if (known != null) {
      return known;
    }
    if (relays.size() == LIMIT) {
      Optional<RelayId> silent =
          relays.entrySet().stream()
              .filter(each -> each.getValue().heard().plus(Relay.SILENT_AFTER).isBefore(now))
              .min(Comparator.comparing(each -> each.getValue().heard()))
              .map(Map.Entry::getKey);
      if (silent.isEmpty()) {
        return null;
      }
      relays.remove(silent.get());
    }
    Relay fresh = new Relay(id, now);
    relays.put(id, fresh);
    return fresh;
  }

  private void forget() {
    slices.forget(relays.values().stream().mapToLong(Relay::comparedTo).min().orElse(0));
  }

  /** What is found of relays that have fallen silent. */
  List<Findings> expire(Instant now) {
    List<Findings> findings = new ArrayList<>();
    relays.values().forEach(relay -> relay.expire(now).ifPresent(findings::add));
    return findings;
  }

  /** All of them as they are now, by name. */
  List<KnownRelay> known() {
    return relays.values().stream()
        .map(Relay::known)
        .sorted(
            Comparator.comparing((KnownRelay relay) -> relay.id().name())
                .thenComparing(relay -> relay.id().instance())
                .thenComparing(relay -> relay.id().epoch()))
        .toList();
  }

  /** All that the relays' last ledgers name. */
  Set<String> patterns() {
    return relays.values().stream()
        .flatMap(relay -> relay.patterns().stream())
        .map(ChannelPattern::text)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
