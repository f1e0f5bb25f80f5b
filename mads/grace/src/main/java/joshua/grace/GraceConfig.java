package joshua.grace;

import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;

/**
 * What Grace goes by (REQ-GR-04).
 *
 * @param queueLimit messages that wait for one client
 * @param clientLimit clients that have a queue
 * @param queueBytes what all queues hold together, a message shared by many counted once
 */
public record GraceConfig(int queueLimit, int clientLimit, long queueBytes) {
  private static final int PART_OF_THE_HEAP = 4;

  public static GraceConfig from(Settings settings) {
    return new GraceConfig(
        settings.get(KnownSettings.GRACE_QUEUE_LIMIT),
        settings.get(KnownSettings.GRACE_CLIENT_LIMIT),
        settings
            .find(KnownSettings.GRACE_QUEUE_BYTES)
            .orElseGet(() -> Runtime.getRuntime().maxMemory() / PART_OF_THE_HEAP));
  }
}
