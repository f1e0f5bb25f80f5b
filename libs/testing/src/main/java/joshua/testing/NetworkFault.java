package joshua.testing;

import java.time.Duration;

/** A fault of a network. */
public sealed interface NetworkFault {

  /** Connections are reset (RST), and new ones too as soon as they are made. */
  record Cut() implements NetworkFault {}

  /** Connections stay, and new ones are accepted, but nothing passes in these directions. */
  record Stall(Direction direction) implements NetworkFault {
    public Stall() {
      this(Direction.BOTH);
    }
  }

  /** Data is delayed by this much; what follows waits behind it. */
  record Delay(Duration by) implements NetworkFault {}

  /** The server's side signals its end of output (FIN), and still reads. */
  record HalfClose() implements NetworkFault {}

  /** The direction of data, as the client sees it. */
  enum Direction {
    TO_SERVER,
    TO_CLIENT,
    BOTH;

    boolean covers(Direction other) {
      return this == BOTH || this == other;
    }
  }
}
