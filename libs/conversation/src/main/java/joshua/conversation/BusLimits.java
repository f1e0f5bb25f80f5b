package joshua.conversation;

import static joshua.kernel.ResourceLimit.count;
import static joshua.kernel.ResourceLimit.memory;
import static joshua.kernel.ResourceLimit.size;

import java.util.List;
import joshua.kernel.HeapPlan;
import joshua.kernel.KnownSettings;
import joshua.kernel.ResourceLimit;
import joshua.kernel.Settings;
import joshua.kernel.TreeTurns;

/** The limits of one participant's connection to the bus. */
public final class BusLimits {
  private static final long OF_A_REQUEST = 200;

  private BusLimits() {}

  /** The limits under these settings and this heap. */
  public static List<ResourceLimit> list(Settings settings, HeapPlan plan) {
    return List.of(
        size(
                "bus.envelope",
                "an envelope, encoded",
                settings.get(KnownSettings.ENVELOPE_LIMIT),
                "`too_large`; from elsewhere a dead letter")
            .by(KnownSettings.ENVELOPE_LIMIT),
        memory(
            "bus.trees",
            "parsed messages of the bus, of all services",
            TreeTurns.ALL,
            TreeTurns.ALL,
            "the next one waits for its turn"),
        count(
            "bus.subscriptions",
            "different channels and globs that one service follows",
            SubscriptionRouter.SUBSCRIPTION_LIMIT,
            0,
            "`overloaded`"),
        count(
            "bus.requests",
            "requests of one service that await an answer",
            PendingRequests.LIMIT,
            plan.services() * OF_A_REQUEST,
            "`overloaded`"),
        count(
            "bus.dead-letters",
            "dead letters that a service keeps",
            DeadLetters.LIMIT,
            plan.services() * (long) (DeadLetters.BODY_LIMIT + DeadLetters.CHANNEL_LIMIT),
            "the oldest goes"));
  }
}
