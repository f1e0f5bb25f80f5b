package joshua.network.http;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.BufferUtil;

/** Looks whether the peer of an HTTP request that is being answered has gone. */
final class PeerLook {
  private final EndPoint endPoint;
  private volatile boolean pipelined;

  PeerLook(HttpServletRequest request) {
    this.endPoint =
        ServletContextRequest.getServletContextRequest(request)
            .getConnectionMetaData()
            .getConnection()
            .getEndPoint();
  }

  /** Whether it has closed or reset its connection; a half closed one counts. */
  boolean isGone() {
    if (pipelined) {
      return false;
    }
    try {
      ByteBuffer read = BufferUtil.allocate(1);
      int bytes = endPoint.fill(read);
      pipelined = bytes > 0;
      return bytes < 0;
    } catch (IOException e) {
      return true;
    }
  }

  /** Closes a connection on which the look took the first byte of a further request. */
  void closeIfPipelined() {
    if (pipelined) {
      endPoint.close();
    }
  }
}
