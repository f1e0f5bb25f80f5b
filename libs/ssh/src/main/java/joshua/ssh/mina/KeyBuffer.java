package joshua.ssh.mina;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jline.utils.NonBlockingInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The keys that have been typed and not yet read. Ctrl-C clears them; while a verb runs it goes to
 * the verb, and never waits behind other keys: type-ahead is bounded, and on overflow all of it is
 * discarded rather than part of a line. Guarded by its lock.
 */
final class KeyBuffer extends NonBlockingInputStream {
  /** Maximum type-ahead in bytes. */
  static final int ROOM = 16 * 1024;

  /** Maximum input per prompt; more than this is not a human typing. */
  static final int MOST_AT_ONE_PROMPT = 64 * 1024;

  static final byte CTRL_C = 3;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final byte[] ahead = new byte[ROOM];
  private int first;
  private int count;
  private @Nullable Thread verb;
  private boolean dropping;
  private boolean ended;
  private volatile boolean interrupted;
  private int atThisPrompt;

  /** Adds what was typed; waits while there is no room and no verb runs. */
  void type(byte[] bytes, int length) throws InterruptedException {
    lock.lock();
    try {
      for (int i = 0; i < length && !ended; i++) {
        take(bytes[i]);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void take(byte key) throws InterruptedException {
    if (key == CTRL_C) {
      count = 0;
      if (verb != null) {
        verb.interrupt();
        return;
      }
    }
    while (count == ROOM && verb == null && !ended) {
      changed.signalAll();
      changed.await();
    }
    if (count == ROOM) {
      count = 0;
      dropping = true;
    }
    if (!dropping) {
      ahead[(first + count) % ROOM] = key;
      count++;
    }
  }

  /** No more input comes; the reader sees the end once it has read the rest. */
  void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** From now on Ctrl-C interrupts this thread, which runs a verb. */
  void begin(Thread runs) {
    lock.lock();
    try {
      verb = runs;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Stops the running verb, if any. */
  void stop() {
    lock.lock();
    try {
      if (verb != null) {
        verb.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  /** From now on keys go to the next prompt. */
  void prompt() {
    lock.lock();
    try {
      verb = null;
      dropping = false;
      atThisPrompt = 0;
    } finally {
      lock.unlock();
    }
  }

  /** Whether reading ended because of too much input. */
  boolean tooMuch() {
    lock.lock();
    try {
      return atThisPrompt >= MOST_AT_ONE_PROMPT;
    } finally {
      lock.unlock();
    }
  }

  /** Whether waiting for keys ended by an interrupt, which Ctrl-C never causes. */
  boolean interrupted() {
    return interrupted;
  }

  /** The number of keys available now. */
  @Override
  public int available() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int read(long timeoutMillis, boolean isPeek) throws IOException {
    try {
      lock.lockInterruptibly();
      try {
        return take(timeoutMillis <= 0 ? Long.MAX_VALUE : timeoutMillis, isPeek);
      } finally {
        lock.unlock();
      }
    } catch (InterruptedException e) {
      interrupted = true;
      throw new InterruptedIOException("interrupted while waiting for keys");
    }
  }

  private int take(long timeoutMillis, boolean peeks) throws InterruptedException {
    long left = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    while (count == 0 && !ended) {
      if (left <= 0) {
        return READ_EXPIRED;
      }
      left = changed.awaitNanos(left);
    }
    if (count == 0 || atThisPrompt >= MOST_AT_ONE_PROMPT) {
      return EOF;
    }
    byte key = ahead[first];
    if (!peeks) {
      first = (first + 1) % ROOM;
      count--;
      atThisPrompt++;
      changed.signalAll();
    }
    return key & 0xff;
  }
}
