package joshua.network.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * An end of a TCP connection that tells a reset, by which a system says that something was left
 * unread, from an orderly close; Jetty's own reads both as an end of stream.
 */
final class WatchedEndPoint extends SocketChannelEndPoint {
  private final Set<Runnable> whenReset = ConcurrentHashMap.newKeySet();
  private volatile boolean reset;

  WatchedEndPoint(
      SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler) {
    super(channel, selector, key, scheduler);
  }

  /** Runs something when the peer is found to have reset it; the result takes that back. */
  Runnable whenReset(Runnable action) {
    whenReset.add(action);
    if (reset && whenReset.remove(action)) {
      action.run();
    }
    return () -> whenReset.remove(action);
  }

  /** The peer has read all that was written so far. */
  void allRead() {
    whenReset.clear();
  }

  @Override
  public int fill(ByteBuffer buffer) {
    if (isInputShutdown()) {
      return -1;
    }
    int position = BufferUtil.flipToFill(buffer);
    try {
      int read = getChannel().read(buffer);
      if (read > 0) {
        notIdle();
      } else if (read < 0) {
        shutdownInput();
      }
      return read;
    } catch (IOException e) {
      shutdownInput();
      if (!(e instanceof ClosedChannelException)) {
        reset = true;
        whenReset.forEach(Runnable::run);
      }
      return -1;
    } finally {
      BufferUtil.flipToFlush(buffer, position);
    }
  }
}
