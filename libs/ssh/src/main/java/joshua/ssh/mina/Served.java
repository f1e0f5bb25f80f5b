package joshua.ssh.mina;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import joshua.ssh.CommandHost;

/** What all channels of one MAD have in common, and the threads that their verbs run on. */
record Served(CommandHost host, ShellSession shell, InstantSource time, Set<Thread> running) {

  static Served of(CommandHost host, ShellSession shell, InstantSource time) {
    return new Served(host, shell, time, ConcurrentHashMap.newKeySet());
  }

  void begin(Thread thread) {
    running.add(thread);
  }

  void end(Thread thread) {
    running.remove(thread);
  }

  /** Waits until all have ended, or so long. */
  void awaitEnd(Duration longest) {
    long end = time.millis() + longest.toMillis();
    try {
      for (Thread thread : running) {
        thread.join(Duration.ofMillis(Math.max(1, end - time.millis())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
