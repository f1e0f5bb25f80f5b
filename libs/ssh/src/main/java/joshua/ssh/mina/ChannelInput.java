package joshua.ssh.mina;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.sshd.server.channel.ChannelDataReceiver;
import org.apache.sshd.server.channel.ChannelSession;

/**
 * The client's input, for one reader. The client may send more only as it is read: the channel's
 * window bounds what is buffered here. Guarded by {@code lock}.
 */
final class ChannelInput extends InputStream implements ChannelDataReceiver {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
  private final ChannelSession channel;
  private final Runnable onData;
  private int begun;
  private boolean ended;

  /**
   * Registers as the receiver of the channel's data.
   *
   * @param onData called whenever data arrives
   */
  ChannelInput(ChannelSession channel, Runnable onData) {
    this.channel = channel;
    this.onData = onData;
  }

  @Override
  public int data(ChannelSession from, byte[] bytes, int offset, int length) {
    onData.run();
    byte[] copy = new byte[length];
    System.arraycopy(bytes, offset, copy, 0, length);
    lock.lock();
    try {
      if (length > 0) {
        waiting.add(copy);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
    return 0;
  }

  /** The client sends no more. */
  @Override
  public void close() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    int taken = take(into, offset, length);
    if (taken > 0) {
      channel.getLocalWindow().release(taken);
    }
    return taken;
  }

  private int take(byte[] into, int offset, int length) throws IOException {
    lock.lock();
    try {
      while (waiting.isEmpty()) {
        if (ended) {
          return -1;
        }
        changed.await();
      }
      byte[] first = waiting.getFirst();
      int taken = Math.min(length, first.length - begun);
      System.arraycopy(first, begun, into, offset, taken);
      begun += taken;
      if (begun == first.length) {
        waiting.removeFirst();
        begun = 0;
      }
      return taken;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the channel is being closed");
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int available() {
    lock.lock();
    try {
      return waiting.isEmpty() ? 0 : waiting.getFirst().length - begun;
    } finally {
      lock.unlock();
    }
  }
}
