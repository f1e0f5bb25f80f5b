package joshua.grace.meter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import joshua.grace.queue.ClientQueues;

/**
 * The clients that missed messages and that no ledger has named yet, each once per reason; at most
 * {@value #LIMIT}, further ones together as {@value #OTHERS}. Guarded by the lock of {@link
 * ClientQueues}.
 */
public final class LossReport {
  public static final int LIMIT = 10_000;
  static final String OTHERS = "*";

  /**
   * A client that missed something.
   *
   * @param missed how many messages; empty where that is unknown
   */
  public record Loser(String clientId, MissedMessages.Reason reason, OptionalLong missed) {
    private Loser and(Loser more) {
      return missed.isPresent() && more.missed.isPresent()
          ? new Loser(
              clientId, reason, OptionalLong.of(missed.getAsLong() + more.missed.getAsLong()))
          : new Loser(clientId, reason, OptionalLong.empty());
    }
  }

  private record Key(String clientId, MissedMessages.Reason reason) {}

  private final Map<Key, Loser> losers = new LinkedHashMap<>();

  void missed(String clientId, MissedMessages.Reason reason, long messages) {
    add(new Loser(clientId, reason, OptionalLong.of(messages)));
  }

  void missedUnknown(String clientId, MissedMessages.Reason reason) {
    add(new Loser(clientId, reason, OptionalLong.empty()));
  }

  private void add(Loser loser) {
    Key key = new Key(loser.clientId(), loser.reason());
    if (losers.size() < LIMIT || losers.containsKey(key)) {
      losers.merge(key, loser, Loser::and);
    } else {
      losers.merge(
          new Key(OTHERS, loser.reason()),
          new Loser(OTHERS, loser.reason(), loser.missed()),
          Loser::and);
    }
  }

  /** Takes the first {@code most}; the others wait for the next ledger. */
  List<Loser> take(int most) {
    List<Loser> taken = new ArrayList<>();
    while (taken.size() < most && !losers.isEmpty()) {
      taken.add(losers.remove(losers.keySet().iterator().next()));
    }
    return taken;
  }

  /** Puts back what could not be sent. */
  void giveBack(List<Loser> untold) {
    untold.forEach(this::add);
  }
}
