package joshua.grace.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The losses of which clients were told, and those in queues that were ended (+RG-17). */
public final class LossReport {
  private static final int MAX_LOSERS = 100;

  public record Loser(String clientId, @Nullable Long missed, Loss.Reason reason) {}

  /** How often losses were told in a span of time, and the first {@value #MAX_LOSERS} told. */
  public record Told(Map<Loss.Reason, Integer> told, List<Loser> losers) {}

  private Told recent = none();

  private static Told none() {
    var told = Stream.of(Loss.Reason.values()).collect(Collectors.toMap(reason -> reason, _ -> 0));
    return new Told(told, new ArrayList<>());
  }

  synchronized void told(String clientId, Loss loss) {
    recent.told().merge(loss.reason(), 1, Integer::sum);
    if (recent.losers().size() < MAX_LOSERS) {
      recent.losers().add(new Loser(clientId, loss.missed(), loss.reason()));
    }
  }

  /** Takes what has been told since the last call. */
  public synchronized Told take() {
    Told taken = recent;
    recent = none();
    return taken;
  }
}
