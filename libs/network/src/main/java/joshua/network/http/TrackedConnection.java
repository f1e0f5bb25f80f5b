package joshua.network.http;

import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.Callback;

/** A TCP connection as the {@link ConnectionRegistry} knows it, guarded by the registry's lock. */
final class TrackedConnection {

  /** What a connection does. */
  enum State {
    /** The head of a request is awaited, or has come in part. */
    UNFINISHED,

    /** A request is served that has a deadline of its own, or it has become a WebSocket. */
    SERVED,

    /** A page is answered, which has {@link ConnectionLimits#PAGE} for that. */
    ANSWERED,

    /** A request has been served, and no byte of another one has come. */
    IDLE,

    /** It is being ended. */
    ENDING
  }

  /** Where it comes from, with the connections of the same address. */
  static final class Address {
    final ByteBuffer key;
    final LinkedHashSet<TrackedConnection> unfinished = new LinkedHashSet<>();
    final LinkedHashSet<TrackedConnection> idle = new LinkedHashSet<>();
    int connections;

    Address(ByteBuffer key) {
      this.key = key;
    }
  }

  final Connection connection;
  final Address address;
  State state = State.UNFINISHED;
  long since;
  long bytesAtRest;
  boolean upgraded;

  /** Whether its peer has had a while to read why it is being closed. */
  boolean told;

  TrackedConnection(Connection connection, Address address, long now) {
    this.connection = connection;
    this.address = address;
    this.since = now;
  }

  /** Whether a byte has come since the last request was served. */
  boolean isWoken() {
    return connection.getBytesIn() != bytesAtRest;
  }

  /** Writes an answer that the connection's own server doesn't write, and nothing after it. */
  void say(byte[] answer) {
    EndPoint endPoint = connection.getEndPoint();
    try {
      endPoint.write(
          Callback.from(endPoint::shutdownOutput, _ -> endPoint.close()), ByteBuffer.wrap(answer));
    } catch (RuntimeException e) {
      // Something is being written already, and the reason can't go into the middle of that.
      endPoint.close();
    }
  }

  void close() {
    connection.getEndPoint().close();
  }
}
