package joshua.grace;

import joshua.kernel.DirectReaders;
import joshua.kernel.GraceSettings;
import joshua.kernel.HeapPlan;
import joshua.kernel.HeapShare;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;

/**
 * Grace's settings (REQ-GR-04).
 *
 * @param queueLimit messages that wait for one client
 * @param clientLimit clients that have a queue
 * @param queueBytes what all queues hold together, a message shared by many counted once
 * @param topicLimit topics that all clients follow together, each counted once per client
 * @param globLimit different globs that all clients follow together
 * @param directReaders the clients that may read direct messages between others
 */
public record GraceConfig(
    int queueLimit,
    int clientLimit,
    long queueBytes,
    int topicLimit,
    int globLimit,
    DirectReaders directReaders) {
  /** Share of the heap where it isn't set: a quarter (wire contract §5). */
  private static final HeapShare QUEUES = HeapShare.ofOneService(250);

  /** Share of the heap for topics. */
  private static final HeapShare TOPICS = HeapShare.ofOneService(45);

  /** What a topic costs on the heap, including its share of the client (decision 15). */
  static final int TOPIC_BYTES = 1_050;

  /** As many as a ledger can name and the bus connection can follow. */
  static final int MOST_TOPICS = 60_000;

  /** A configuration with the default limits of topics and globs. */
  public GraceConfig(int queueLimit, int clientLimit, long queueBytes) {
    this(queueLimit, clientLimit, queueBytes, MOST_TOPICS, GraceSettings.GLOBS);
  }

  /** A configuration in which only admins may read direct messages between others. */
  public GraceConfig(
      int queueLimit, int clientLimit, long queueBytes, int topicLimit, int globLimit) {
    this(queueLimit, clientLimit, queueBytes, topicLimit, globLimit, DirectReaders.ADMINS);
  }

  public static GraceConfig from(Settings settings, HeapPlan plan) {
    return new GraceConfig(
        settings.get(KnownSettings.GRACE_QUEUE_LIMIT),
        settings.get(KnownSettings.GRACE_CLIENT_LIMIT),
        settings.find(KnownSettings.GRACE_QUEUE_BYTES).orElseGet(() -> plan.bytes(QUEUES)),
        settings.find(GraceSettings.TOPIC_LIMIT).orElseGet(() -> topicsThatFit(plan)),
        settings.get(GraceSettings.GLOB_LIMIT),
        DirectReaders.from(settings));
  }

  private static int topicsThatFit(HeapPlan plan) {
    return (int) Math.min(MOST_TOPICS, plan.bytes(TOPICS) / TOPIC_BYTES);
  }
}
