package joshua.testing;

import java.time.Duration;

/** What can be wrong with a network. */
public sealed interface NetworkFault {

  /** Connections are reset (RST), and new ones too as soon as they are made. */
  record Cut() implements NetworkFault {}

  /** Connections stay, and new ones are accepted, but nothing passes in these directions. */
  record Stall(Direction direction) implements NetworkFault {
    public Stall() {
      this(Direction.BOTH);
    }
  }

  /** Whatever passes, passes so much later; what passes next waits behind it. */
  record Delay(Duration by) implements NetworkFault {}

  /** The server's side says that it has no more to say (FIN), and goes on listening. */
  record HalfClose() implements NetworkFault {}

  /** Which way bytes go, as the client sees it. */
  enum Direction {
    TO_SERVER,
    TO_CLIENT,
    BOTH;

    boolean covers(Direction other) {
      return this == BOTH || this == other;
    }
  }
}
