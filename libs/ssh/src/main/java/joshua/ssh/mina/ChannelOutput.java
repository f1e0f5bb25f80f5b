package joshua.ssh.mina;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.apache.sshd.common.io.IoOutputStream;
import org.apache.sshd.common.io.IoWriteFuture;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The output to the client, written piece by piece: each waits until the system has taken the one
 * before it, so that a slow reader blocks the writer and uses no memory here. {@code turn} admits
 * one writer at a time.
 */
final class ChannelOutput extends OutputStream {
  /** How long a reader may stall before it counts as gone. */
  static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final int PIECE = 16 * 1024;

  private final Semaphore turn = new Semaphore(1);
  private final IoOutputStream out;
  private @Nullable IoWriteFuture under;

  ChannelOutput(IoOutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  /**
   * Writes all of it.
   *
   * @throws InterruptedIOException if the thread is interrupted meanwhile (it stays interrupted);
   *     the rest is discarded
   */
  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      turn.acquire();
    } catch (InterruptedException e) {
      throw interrupted();
    }
    try {
      for (int done = 0; done < length; done += PIECE) {
        piece(bytes, offset + done, Math.min(PIECE, length - done));
      }
    } finally {
      turn.release();
    }
  }

  private void piece(byte[] bytes, int offset, int length) throws IOException {
    // A write that an interrupt left pending is finished first.
    await();
    byte[] copy = new byte[length];
    System.arraycopy(bytes, offset, copy, 0, length);
    under = out.writeBuffer(new ByteArrayBuffer(copy));
    await();
  }

  private void await() throws IOException {
    IoWriteFuture write = under;
    if (write == null) {
      return;
    }
    try {
      write.verify(PATIENCE);
    } catch (InterruptedIOException e) {
      throw interrupted();
    }
    under = null;
  }

  private static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("what is left of it isn't written");
  }
}
