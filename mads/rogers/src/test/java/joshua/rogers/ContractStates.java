package joshua.rogers;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The states that wire contract §2 ("Registry states") prescribes for each participant, derived
 * from its text separately for every moment: nothing of it is taken from the registry's code.
 */
final class ContractStates {
  private static final long STALE = 30_000;
  private static final long STALE_VIA_GRACE = 45_000;
  private static final long GONE = 120_000;
  private static final Duration BUSY_AT_MOST = Duration.ofHours(1);

  /** One instance under a name. */
  private static final class Instance {
    boolean beaten;
    boolean left;
    boolean viaGrace;
    Instant heard = Instant.EPOCH;
    Instant busyUntil = Instant.EPOCH;
    @Nullable Integer interval;
    // Once silent for this long, only a message improves the state again.
    int worst;
  }

  private final Map<String, Map<String, Instance>> names = new TreeMap<>();
  private final Map<String, Instant> lastHeard = new TreeMap<>();
  private Instant subscribed;
  private boolean blind;

  ContractStates(Instant subscribed) {
    this.subscribed = subscribed;
  }

  void blind() {
    blind = true;
  }

  void sees(Instant now) {
    blind = false;
    subscribed = now;
  }

  void heard(String name, SimulatedParticipant.Said said, Instant now) {
    lastHeard.put(name, now);
    Map<String, Instance> instances = names.computeIfAbsent(name, any -> new LinkedHashMap<>());
    Instance instance = instances.computeIfAbsent(said.instance(), any -> new Instance());
    instance.heard = now;
    instance.worst = 0;
    instance.left = said.kind() == SimulatedParticipant.Kind.LEAVE;
    if (said.kind() == SimulatedParticipant.Kind.BEAT) {
      instance.beaten = true;
      instance.interval = said.interval();
      instance.viaGrace = said.viaGrace();
      Instant latest = now.plus(BUSY_AT_MOST);
      Instant until = said.busyUntil() == null ? Instant.EPOCH : said.busyUntil();
      instance.busyUntil = until.isAfter(latest) ? latest : until;
    }
  }

  Set<String> names() {
    return names.keySet();
  }

  Instant lastHeard(String name) {
    return lastHeard.getOrDefault(name, Instant.EPOCH);
  }

  /** "With several instances under one name the row shows the best state." */
  String state(String name, Instant now) {
    return best(name, now).getKey();
  }

  private Map.Entry<String, Instance> best(String name, Instant now) {
    String[] words = {"HEALTHY", "CONNECTED", "STALE", "DISCONNECTED"};
    int best = words.length;
    Instance shown = null;
    for (Instance instance : names.getOrDefault(name, Map.of()).values()) {
      int state = state(instance, now);
      boolean later = shown != null && state == best && !instance.heard.isBefore(shown.heard);
      if (state < best || later) {
        best = state;
        shown = instance;
      }
    }
    if (shown == null) {
      throw new AssertionError(name + " was never heard");
    }
    return Map.entry(words[best], shown);
  }

  private int state(Instance instance, Instant now) {
    if (instance.left) {
      return 3;
    }
    int fresh = instance.beaten ? 0 : 1;
    boolean busy = instance.beaten && !now.isAfter(instance.busyUntil);
    if (!blind && !busy) {
      long silent = silence(instance, now);
      long stale = instance.viaGrace ? STALE_VIA_GRACE : STALE;
      int now3 = silent > GONE ? 3 : silent > stale ? 2 : 0;
      instance.worst = Math.max(instance.worst, now3);
    }
    return Math.max(fresh, instance.worst);
  }

  private long silence(Instance instance, Instant now) {
    Instant from = instance.heard.isBefore(subscribed) ? subscribed : instance.heard;
    return Duration.between(from, now).toMillis();
  }

  /** What the reason must look like. */
  Pattern reason(String name, Instant now) {
    Map.Entry<String, Instance> best = best(name, now);
    Instance instance = best.getValue();
    long silent = blind ? 0 : silence(instance, now) / 1_000;
    String text =
        switch (best.getKey()) {
          case "CONNECTED" -> "connected: .*never sent a heartbeat";
          case "STALE" ->
              "stale: silent for "
                  + silent
                  + " s( since Rogers is back)?, "
                  + (!instance.beaten
                      ? "has never sent a heartbeat"
                      : instance.interval == null
                          ? "expected a heartbeat"
                          : "expected a heartbeat every " + instance.interval + " s");
          case "DISCONNECTED" -> gone(name);
          default -> healthy(instance, now);
        };
    return Pattern.compile(text + "( through grace)?(; the best of \\d+)?");
  }

  /** Of several instances that are gone, the reason of any one is accepted. */
  private String gone(String name) {
    List<String> reasons =
        names.getOrDefault(name, Map.of()).values().stream()
            .map(instance ->
                instance.left
                    ? "disconnected: left at \\S+ \\(.+\\)"
                    : "disconnected: silent for more than 120 s, last heard at \\S+")
            .distinct()
            .toList();
    return "(" + String.join("|", reasons) + ")";
  }

  private String healthy(Instance instance, Instant now) {
    boolean late =
        Duration.between(instance.heard, now).toMillis()
            > (instance.viaGrace ? STALE_VIA_GRACE : STALE);
    if (!late) {
      return instance.interval == null
          ? "healthy: heard within \\d+ s, has beaten"
          : "healthy: heard within \\d+ s, beats every " + instance.interval + " s";
    }
    return now.isAfter(instance.busyUntil)
        ? "healthy: not heard since \\S+, but Rogers counts silence only since \\S+"
        : "healthy: not heard since \\S+, said that it is busy until \\S+";
  }
}
