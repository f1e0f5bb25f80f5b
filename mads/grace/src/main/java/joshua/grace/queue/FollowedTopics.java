package joshua.grace.queue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import joshua.conversation.ChannelPattern;

/**
 * The topics that one client follows, and the calls that still wait for Redis to confirm them. A
 * topic named by two calls stays as long as either may succeed. Guarded by the lock of {@link
 * ClientQueues}.
 */
public final class FollowedTopics {
  /** Topics that one client may follow. */
  public static final int LIMIT = 1_000;

  /** One call's subscription, until it is confirmed or taken back. */
  static final class Claim {
    private final List<ChannelPattern> named;

    private Claim(Collection<ChannelPattern> named) {
      this.named = List.copyOf(named);
    }
  }

  private final SubscriptionBudget budget;
  private final Set<ChannelPattern> followed = new LinkedHashSet<>();
  private int globs;

  /** Topics not yet reported as followed to any call, with the calls that wait for them. */
  private final Map<ChannelPattern, Set<Claim>> unconfirmed = new HashMap<>();

  private final Set<Claim> open = new HashSet<>();
  private boolean promised;

  public FollowedTopics(SubscriptionBudget budget) {
    this.budget = budget;
  }

  /** All topics, confirmed or not. */
  public Set<ChannelPattern> all() {
    return Collections.unmodifiableSet(followed);
  }

  /** Topics that were reported as followed to a call. */
  List<ChannelPattern> confirmed() {
    return followed.stream().filter(topic -> !unconfirmed.containsKey(topic)).toList();
  }

  /** Why this client may not follow these as well; empty if it may. */
  Optional<String> refusal(Collection<ChannelPattern> named) {
    List<ChannelPattern> added =
        named.stream().distinct().filter(topic -> !followed.contains(topic)).toList();
    return followed.size() + added.size() > LIMIT
        ? Optional.of(
            "topics would be more than the %d that one client may follow; unsubscribe from some."
                .formatted(LIMIT))
        : budget.refusal(followed.size(), globs, added);
  }

  /** Adds topics on behalf of one call. */
  Claim claim(Collection<ChannelPattern> named) {
    Claim claim = new Claim(named);
    for (ChannelPattern topic : named) {
      if (followed.add(topic)) {
        budget.take(followed.size() - 1, topic);
        globs += topic.isGlob() ? 1 : 0;
        unconfirmed.put(topic, new HashSet<>());
      }
      Set<Claim> waiting = unconfirmed.get(topic);
      if (waiting != null) {
        waiting.add(claim);
      }
    }
    open.add(claim);
    return claim;
  }

  /**
   * Redis has confirmed what a call named.
   *
   * @return whether all of it is still followed; if not, nothing is changed
   */
  boolean confirm(Claim claim) {
    if (!followed.containsAll(claim.named)) {
      return false;
    }
    claim.named.forEach(unconfirmed::remove);
    open.remove(claim);
    promised = true;
    return true;
  }

  /**
   * Ends the claim of a call that has failed.
   *
   * @return what it named and no other call waits for or was promised: to be unfollowed
   */
  List<ChannelPattern> takeBack(Claim claim) {
    open.remove(claim);
    List<ChannelPattern> vain = new ArrayList<>();
    for (ChannelPattern topic : claim.named) {
      Set<Claim> waiting = unconfirmed.get(topic);
      if (waiting != null && waiting.remove(claim) && waiting.isEmpty()) {
        vain.add(topic);
      }
    }
    return vain;
  }

  /** Whether no call was ever told that it has a queue, and none is waiting for one. */
  boolean areVain() {
    return !promised && open.isEmpty();
  }

  void giveUp(Collection<ChannelPattern> named) {
    for (ChannelPattern topic : named) {
      if (followed.remove(topic)) {
        budget.giveBack(followed.size() + 1, topic);
        globs -= topic.isGlob() ? 1 : 0;
      }
      unconfirmed.remove(topic);
    }
  }

  /** Unfollows all topics. */
  List<ChannelPattern> giveUpAll() {
    List<ChannelPattern> all = List.copyOf(followed);
    giveUp(all);
    return all;
  }
}
