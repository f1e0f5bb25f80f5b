package joshua.network;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The threads that wait for answers on behalf of one connection, so that they can be interrupted
 * when it ends. Guarded by {@code lock}.
 */
public final class InFlight {
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Thread> threads = new HashSet<>();
  private boolean ended;

  /** Runs {@code work} on a virtual thread of its own, interrupted once this has ended. */
  public void start(String name, Runnable work) {
    start(name, work, thread -> {});
  }

  /** The same; {@code known} gets the thread before it runs, to interrupt it on its own. */
  public void start(String name, Runnable work, Consumer<Thread> known) {
    Thread thread =
        Thread.ofVirtual()
            .name(name)
            .unstarted(() -> {
              try {
                work.run();
              } finally {
                remove(Thread.currentThread());
              }
            });
    lock.lock();
    try {
      threads.add(thread);
      if (ended) {
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
    known.accept(thread);
    thread.start();
  }

  public int count() {
    lock.lock();
    try {
      return threads.size();
    } finally {
      lock.unlock();
    }
  }

  public void end() {
    List<Thread> waiting;
    lock.lock();
    try {
      ended = true;
      waiting = List.copyOf(threads);
    } finally {
      lock.unlock();
    }
    waiting.forEach(Thread::interrupt);
  }

  private void remove(Thread thread) {
    lock.lock();
    try {
      threads.remove(thread);
    } finally {
      lock.unlock();
    }
  }
}
