package joshua.grace.queue;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import joshua.conversation.ChannelPattern;
import joshua.grace.GraceConfig;

/**
 * The limit on what all clients together follow: a number of topics, each counted once per client
 * that follows it, and a number of different globs among them, because Redis matches every message
 * against each (wire contract §2).
 *
 * <p>Half of the topics are reserved for the clients in equal parts, so that every client gets a
 * few no matter what others hold. Any client may take from the other half, as long as it then holds
 * no more of it than is still free: the fuller it gets, the less one client may have. The last
 * quarter of the globs is reserved for clients that hold {@value #FEW_GLOBS} at most, and the rest
 * is shared by the same rule; a glob that any client follows already is free.
 *
 * <p>Guarded by the lock of {@link ClientQueues}.
 */
public final class SubscriptionBudget {
  /** How many of the reserved globs one client may hold. */
  static final int FEW_GLOBS = 2;

  private final int topicLimit;
  private final int globLimit;

  /** Topics that are reserved for each client. */
  private final int kept;

  /** Topics that any client may take. */
  private final int shared;

  private final Map<ChannelPattern, Integer> globs = new HashMap<>();
  private int topics;
  private int sharedTaken;

  public SubscriptionBudget(GraceConfig config) {
    this.topicLimit = config.topicLimit();
    this.globLimit = config.globLimit();
    this.kept = topicLimit / 2 / config.clientLimit();
    this.shared = topicLimit - kept * config.clientLimit();
  }

  /** How many topics are followed, each counted once per client. */
  int topics() {
    return topics;
  }

  /** How many different globs are followed. */
  int globs() {
    return globs.size();
  }

  /** Why a client that holds this many may not follow {@code added} as well; empty if it may. */
  Optional<String> refusal(int held, int heldGlobs, Collection<ChannelPattern> added) {
    return topicRefusal(held, added.size()).or(() -> globRefusal(heldGlobs, added));
  }

  private Optional<String> topicRefusal(int held, int added) {
    int more = sharedPart(held + added) - sharedPart(held);
    int free = shared - sharedTaken - more;
    return more == 0 || sharedPart(held + added) <= free
        ? Optional.empty()
        : Optional.of(
            "topics would be too many: all clients together may follow %d (JOSHUA_GRACE_TOPIC_LIMIT), %d are followed, and a client that holds %d gets no %d more of the rest. Unsubscribe from some, or follow a glob instead of many names."
                .formatted(topicLimit, topics, held, added));
  }

  private int sharedPart(int held) {
    return Math.max(0, held - kept);
  }

  private Optional<String> globRefusal(int heldGlobs, Collection<ChannelPattern> added) {
    int globsAdded = 0;
    int fresh = 0;
    for (ChannelPattern topic : added) {
      if (topic.isGlob()) {
        globsAdded++;
        fresh += globs.containsKey(topic) ? 0 : 1;
      }
    }
    int held = heldGlobs + globsAdded;
    int left = globLimit - globs.size() - fresh;
    int keptForFew = globLimit / 4;
    boolean fits = left >= 0 && (held <= FEW_GLOBS || held <= left - keptForFew);
    return fresh == 0 || fits
        ? Optional.empty()
        : Optional.of(
            "topics would be too many globs: all clients together may follow %d different ones (JOSHUA_GRACE_GLOB_LIMIT), %d are followed, and a client that holds %d gets no %d more of the rest. Unsubscribe from some, or follow names, or a glob that is followed already."
                .formatted(globLimit, globs.size(), heldGlobs, globsAdded));
  }

  /** A client that held {@code held} topics follows one more. */
  void take(int held, ChannelPattern topic) {
    topics++;
    sharedTaken += sharedPart(held + 1) - sharedPart(held);
    if (topic.isGlob()) {
      globs.merge(topic, 1, Integer::sum);
    }
  }

  /** A client that held {@code held} topics has given one up. */
  void giveBack(int held, ChannelPattern topic) {
    topics--;
    sharedTaken -= sharedPart(held) - sharedPart(held - 1);
    if (topic.isGlob()) {
      globs.computeIfPresent(topic, (_, clients) -> clients == 1 ? null : clients - 1);
    }
  }
}
