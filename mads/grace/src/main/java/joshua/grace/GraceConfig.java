package joshua.grace;

import joshua.kernel.DirectReaders;
import joshua.kernel.GraceSettings;
import joshua.kernel.HeapPlan;
import joshua.kernel.HeapShare;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;

/**
 * What Grace goes by (REQ-GR-04).
 *
 * @param queueLimit messages that wait for one client
 * @param clientLimit clients that have a queue
 * @param queueBytes what all queues hold together, a message shared by many counted once
 * @param topicLimit topics that all clients follow together, one counted for each client
 * @param globLimit different globs that all clients follow together
 * @param directReaders who may read direct messages between others
 */
public record GraceConfig(
    int queueLimit,
    int clientLimit,
    long queueBytes,
    int topicLimit,
    int globLimit,
    DirectReaders directReaders) {
  /** Of the heap, where it isn't set: a quarter (wire contract §5). */
  private static final HeapShare QUEUES = HeapShare.ofOneService(250);

  /** Of the heap, for topics. */
  private static final HeapShare TOPICS = HeapShare.ofOneService(45);

  /** What a topic costs on the heap, its part of the client included (decision 15). */
  static final int TOPIC_BYTES = 1_050;

  /** What a ledger can name, and the bus connection follow, has room for these. */
  static final int MOST_TOPICS = 60_000;

  /** With room for all the topics and globs that there may be by default. */
  public GraceConfig(int queueLimit, int clientLimit, long queueBytes) {
    this(queueLimit, clientLimit, queueBytes, MOST_TOPICS, GraceSettings.GLOBS);
  }

  /** Where admins alone may read direct messages between others. */
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
