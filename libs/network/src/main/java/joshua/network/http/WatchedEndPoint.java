package joshua.network.http;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
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
  private volatile boolean pipelined;

  WatchedEndPoint(
      SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler) {
    super(channel, selector, key, scheduler);
  }

  /** Where a request has come in, whose peer has read all that was written before. */
  static WatchedEndPoint of(HttpServletRequest request) {
    WatchedEndPoint end =
        (WatchedEndPoint)
            ServletContextRequest.getServletContextRequest(request)
                .getConnectionMetaData()
                .getConnection()
                .getEndPoint();
    end.whenReset.clear();
    return end;
  }

  /** Whether the peer of a request has closed or reset it; one that is half closed counts. */
  boolean isGone() {
    if (pipelined) {
      return false;
    }
    int bytes = fill(BufferUtil.allocate(1));
    pipelined = bytes > 0;
    return bytes < 0;
  }

  /** Closes a connection of which {@link #isGone} took the first byte of a further request. */
  void closeIfPipelined() {
    if (pipelined) {
      close();
    }
  }

  /** Runs something when the peer is found to have reset it; the result takes that back. */
  Runnable whenReset(Runnable action) {
    whenReset.add(action);
    if (reset && whenReset.remove(action)) {
      action.run();
    }
    return () -> whenReset.remove(action);
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
