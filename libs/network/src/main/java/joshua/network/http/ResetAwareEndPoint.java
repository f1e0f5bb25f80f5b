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
 * A TCP end point that distinguishes a reset, which means that the peer left data unread, from an
 * orderly close; Jetty's own treats both as an end of stream.
 */
final class ResetAwareEndPoint extends SocketChannelEndPoint {
  private final Set<Runnable> whenReset = ConcurrentHashMap.newKeySet();
  private volatile boolean reset;
  private volatile boolean pipelined;

  ResetAwareEndPoint(
      SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler) {
    super(channel, selector, key, scheduler);
  }

  /** The end point of a new request, which proves that its peer has read all answers before. */
  static ResetAwareEndPoint of(HttpServletRequest request) {
    ResetAwareEndPoint end =
        (ResetAwareEndPoint)
            ServletContextRequest.getServletContextRequest(request)
                .getConnectionMetaData()
                .getConnection()
                .getEndPoint();
    end.whenReset.clear();
    return end;
  }

  /** Whether the peer of a request has closed, half closed or reset it. */
  boolean isGone() {
    if (pipelined) {
      return false;
    }
    int bytes = fill(BufferUtil.allocate(1));
    pipelined = bytes > 0;
    return bytes < 0;
  }

  /** Closes the connection if {@link #isGone} has read the first byte of a further request. */
  void closeIfPipelined() {
    if (pipelined) {
      close();
    }
  }

  /** Runs an action when a reset by the peer is detected; the result unregisters it. */
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
