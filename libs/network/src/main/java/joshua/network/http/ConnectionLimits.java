package joshua.network.http;

import java.time.Duration;

/**
 * The maximum numbers of open TCP connections of one server.
 *
 * @param all the maximum; one more takes the place of an idle one, or is refused
 * @param ofAddress the maximum of one address, an IPv6 network of 64 bits counting as one:
 *     generous, since a machine's own clients, and those behind a proxy, share one
 * @param unfinished the maximum that haven't finished the head of a request, once each has had
 *     {@link #BURST} for it
 * @param unfinishedOfAddress the same for one address
 */
record ConnectionLimits(int all, int ofAddress, int unfinished, int unfinishedOfAddress) {
  /** How long a request's head may take, from the connection or from its first byte. */
  static final Duration HEAD = Duration.ofSeconds(10);

  /** How long a page may take that isn't MCP's, its answer's reading included. */
  static final Duration PAGE = Duration.ofSeconds(30);

  /** How long connections may be unfinished beyond their number, as many that come at once are. */
  static final Duration BURST = Duration.ofSeconds(3);

  /** How often deadlines are looked at. */
  static final Duration EVERY = Duration.ofSeconds(1);

  private static final int MOST_ENDING = 64;
  private static final int MOST_UNFINISHED = 2048;
  private static final int MOST_UNFINISHED_OF_ADDRESS = 1024;

  /** How many times the number of unfinished ones there may be within {@link #BURST}. */
  private static final int BURST_FACTOR = 4;

  static ConnectionLimits of(int connections) {
    return new ConnectionLimits(
        connections,
        Math.max(1, connections / 4 * 3),
        Math.clamp(connections / 4, 1, MOST_UNFINISHED),
        Math.clamp(connections / 8, 1, MOST_UNFINISHED_OF_ADDRESS));
  }

  int unfinishedInBurst() {
    return BURST_FACTOR * unfinished;
  }

  int unfinishedOfAddressInBurst() {
    return BURST_FACTOR * unfinishedOfAddress;
  }

  /** How many that are being ended may still be read from, so that they hear why. */
  int ending() {
    return Math.clamp(all / 16, 4, MOST_ENDING);
  }

  /** The most requests that listen; fewer than connections, so that a refusal can be said. */
  int listening() {
    return Math.max(1, Math.min(McpHttp.MAX_LISTENING, all / 6 * 5));
  }

  /** The most WebSockets; fewer than connections, so that a refusal can be said. */
  int sockets() {
    return Math.max(1, Math.min(ServerSockets.MAX_SOCKETS, all / 6 * 5));
  }
}
