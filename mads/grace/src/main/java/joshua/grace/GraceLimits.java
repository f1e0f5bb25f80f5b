package joshua.grace;

import static joshua.kernel.ResourceLimit.count;
import static joshua.kernel.ResourceLimit.measure;
import static joshua.kernel.ResourceLimit.memory;
import static joshua.kernel.ResourceLimit.size;

import java.util.List;
import java.util.stream.Stream;
import joshua.grace.meter.LossReport;
import joshua.grace.presence.ClientRegistry;
import joshua.grace.queue.FollowedTopics;
import joshua.grace.queue.FormerClients;
import joshua.grace.queue.KnownNames;
import joshua.grace.tool.PollTool;
import joshua.kernel.GraceSettings;
import joshua.kernel.HeapPlan;
import joshua.kernel.KnownSettings;
import joshua.kernel.ResourceLimit;
import joshua.kernel.Settings;

/** Resource limits of what Grace keeps for its clients, all of it in memory (REQ-GR-04). */
public final class GraceLimits {
  /** A queue, its roster entry, its presence, and its client's name; without messages. */
  private static final long OF_A_CLIENT = 1_000;

  /** A hash, an instant, a number, and an entry of a linked table. */
  private static final long OF_A_FORMER_CLIENT = 110;

  /** A hash, an instant, and an entry of a linked table. */
  private static final long OF_A_NAME = 130;

  private static final long OF_A_LOSER = 250;

  private GraceLimits() {}

  /** The limits that follow from these settings and this heap. */
  public static List<ResourceLimit> list(Settings settings, HeapPlan plan) {
    return Stream.of(clientRows(settings, plan), otherRows()).flatMap(List::stream).toList();
  }

  private static List<ResourceLimit> clientRows(Settings settings, HeapPlan plan) {
    GraceConfig config = GraceConfig.from(settings, plan);
    return List.of(
        count(
                "grace.clients",
                "clients with a queue",
                config.clientLimit(),
                OF_A_CLIENT,
                "the least recently used client is evicted, and told so by its next call")
            .by(KnownSettings.GRACE_CLIENT_LIMIT),
        count(
                "grace.queue",
                "messages in the queue of one client",
                config.queueLimit(),
                0,
                "the oldest is dropped; the next poll says how many, reason `overflow`")
            .by(KnownSettings.GRACE_QUEUE_LIMIT),
        memory(
                "grace.queue-bytes",
                "all queues together; a message for many clients counts once, and 8 bytes in each queue",
                config.queueBytes(),
                config.queueBytes(),
                "the least recently used client's oldest goes; its next poll says how many, reason `overflow`")
            .by(KnownSettings.GRACE_QUEUE_BYTES),
        count(
                "grace.topics",
                "topics of all clients, one counted for each client",
                config.topicLimit(),
                GraceConfig.TOPIC_BYTES,
                "`overloaded` for who holds more than its part")
            .by(GraceSettings.TOPIC_LIMIT),
        count(
                "grace.globs",
                "different globs of all clients",
                config.globLimit(),
                0,
                "`overloaded` for who holds more than its part")
            .by(GraceSettings.GLOB_LIMIT),
        count(
            "grace.topics-of-a-client",
            "topics of one client",
            FollowedTopics.LIMIT,
            0,
            "`overloaded`"));
  }

  private static List<ResourceLimit> otherRows() {
    return List.of(
        count(
            "grace.evicted",
            "clients that were evicted or have unsubscribed and are remembered, as hashes",
            FormerClients.LIMIT,
            OF_A_FORMER_CLIENT,
            "the oldest is forgotten: its next poll is `not_subscribed` without a `gap`"),
        count(
            "grace.names",
            "names heard in the last %d h, as hashes".formatted(KnownNames.HOURS),
            KnownNames.LIMIT,
            OF_A_NAME,
            "the one not heard longest is forgotten: a message to it says `unknown` in place of `away`"),
        count(
            "grace.losers",
            "clients with losses that no ledger has named yet",
            LossReport.LIMIT,
            OF_A_LOSER,
            "counted together as `*`"),
        size(
            "grace.answer",
            "messages in the answer to one poll; at least one message",
            PollTool.ANSWER_BYTES,
            "`remaining` says how many wait"),
        measure(
            "grace.wait",
            "a poll that waits",
            PollTool.MAX_WAIT_MS / 1_000 + " s",
            "`invalid_input`"),
        count(
            "grace.listed-clients",
            "clients in the list of queues",
            ClientRegistry.LISTED,
            0,
            "the list says how many more there are"));
  }
}
