package joshua.network.bridge;

import java.nio.charset.StandardCharsets;
import joshua.network.mcp.ClientMeta;

/**
 * The settings of the bridge's connection to a MAD.
 *
 * @param mad the MAD's name
 * @param client how the bridge introduces itself
 * @param remedy what to do when nothing listens where the MAD should, a sentence
 * @param frameLimit bytes of the largest message that the MAD reads
 */
record McpClientSettings(String mad, ClientMeta client, String remedy, long frameLimit) {

  boolean isTooLarge(String message) {
    return message.length() > frameLimit
        || (message.length() > frameLimit / 4
            && message.getBytes(StandardCharsets.UTF_8).length > frameLimit);
  }
}
