package joshua.ssh.mina;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import joshua.kernel.ClockSources;
import joshua.ssh.CommandHost;

/** What all channels of one MAD share, including the threads that run their verbs. */
record ShellServices(
    CommandHost host, ShellSession shell, ClockSources clocks, Set<Thread> running) {

  static ShellServices of(CommandHost host, ShellSession shell, ClockSources clockSources) {
    return new ShellServices(host, shell, clockSources, ConcurrentHashMap.newKeySet());
  }

  void begin(Thread thread) {
    running.add(thread);
  }

  void end(Thread thread) {
    running.remove(thread);
  }

  /** Waits until all have ended, or at most this long. */
  void awaitEnd(Duration longest) {
    long end = clocks.in(longest);
    try {
      for (Thread thread : running) {
        thread.join(Duration.ofNanos(Math.max(1_000_000, end - clocks.nanos())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
