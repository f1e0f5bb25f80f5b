package joshua.network;

/**
 * An operation that a MAD offers to callers (+JN-01). A tool knows nothing of the protocol that a
 * call came in.
 */
public interface Tool {
  ToolSpec spec();

  /**
   * Executes a call whose input fits the tool's schema. Runs in the order in which calls arrive on
   * one connection, on the thread that reads it, and so must not block: what takes time belongs
   * into {@link Answer#await}. What it throws is answered as {@code internal}.
   */
  Answer begin(ToolCall call);

  /** A tool's result, now or later. */
  @FunctionalInterface
  interface Answer {
    /**
     * Returns the result. May block; runs once, on a virtual thread of its own.
     *
     * @throws InterruptedException when the caller has gone or has cancelled the call: stop the
     *     work
     */
    ToolResult await() throws InterruptedException;

    /** An answer that is there already, and so costs no thread. */
    static Answer of(ToolResult result) {
      return new Ready(result);
    }
  }

  /** An answer that is there already. */
  record Ready(ToolResult result) implements Answer {
    @Override
    public ToolResult await() {
      return result;
    }
  }
}
