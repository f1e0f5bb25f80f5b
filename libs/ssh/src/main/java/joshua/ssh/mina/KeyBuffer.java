package joshua.ssh.mina;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jline.utils.NonBlockingInputStream;
import org.jspecify.annotations.Nullable;

/**
 * What a person has typed and nobody has read yet. Ctrl-C throws it away; while a verb runs it goes
 * to the verb, and never waits behind other keys: what is typed ahead has its room, and where there
 * is too much of it, all is thrown away rather than a part of a line. Guarded by its lock.
 */
final class KeyBuffer extends NonBlockingInputStream {
  /** So many bytes may be typed ahead. */
  static final int ROOM = 16 * 1024;

  /** So many may be typed at one prompt; whoever types more has gone mad, or is no person. */
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

  /** Takes what was typed; waits while there is no room and no verb runs. */
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

  /** Nothing more comes: the person has gone, once what he typed has been read. */
  void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** From now on Ctrl-C is for this thread, which runs a verb. */
  void begin(Thread runs) {
    lock.lock();
    try {
      verb = runs;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Stops the verb that runs, if one does. */
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

  /** From now on keys are for the next prompt. */
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

  /** Whether reading ended because too much was typed. */
  boolean tooMuch() {
    lock.lock();
    try {
      return atThisPrompt >= MOST_AT_ONE_PROMPT;
    } finally {
      lock.unlock();
    }
  }

  /** Whether a wait for keys was ended by an interrupt, which Ctrl-C never is. */
  boolean interrupted() {
    return interrupted;
  }

  /** How many keys are there now. */
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
