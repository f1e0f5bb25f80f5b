package joshua.network.http;

import jakarta.servlet.http.HttpServletRequest;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.BufferUtil;

/** Looks whether the peer of an HTTP request that is being answered has gone. */
final class PeerLook {
  private final WatchedEndPoint endPoint;
  private volatile boolean pipelined;

  PeerLook(HttpServletRequest request) {
    this.endPoint =
        (WatchedEndPoint)
            ServletContextRequest.getServletContextRequest(request)
                .getConnectionMetaData()
                .getConnection()
                .getEndPoint();
    endPoint.allRead(); // or it wouldn't have asked for more
  }

  /** Whether it has closed or reset its connection; a half closed one counts. */
  boolean isGone() {
    if (pipelined) {
      return false;
    }
    int bytes = endPoint.fill(BufferUtil.allocate(1));
    pipelined = bytes > 0;
    return bytes < 0;
  }

  EndPoint endPoint() {
    return endPoint;
  }

  Runnable whenReset(Runnable action) {
    return endPoint.whenReset(action);
  }

  /** Closes a connection on which the look took the first byte of a further request. */
  void closeIfPipelined() {
    if (pipelined) {
      endPoint.close();
    }
  }
}
