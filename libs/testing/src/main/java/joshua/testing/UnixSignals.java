package joshua.testing;

import java.io.IOException;

/** Unix signals to a process. */
public final class UnixSignals {
  private UnixSignals() {}

  /**
   * Sends a signal.
   *
   * @param signal its name, {@code TERM} for instance
   * @param pid a process; negated, a process group
   */
  public static void send(String signal, long pid) {
    try {
      int status =
          new ProcessBuilder("kill", "-s", signal, "--", Long.toString(pid))
              .inheritIO()
              .start()
              .waitFor();
      if (status != 0) {
        throw new AssertionError("kill -s %s %d ended with %d".formatted(signal, pid, status));
      }
    } catch (IOException e) {
      throw new AssertionError("kill can't be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while sending a signal", e);
    }
  }
}
