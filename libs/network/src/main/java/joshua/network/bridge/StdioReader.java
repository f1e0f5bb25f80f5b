package joshua.network.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import joshua.kernel.Json;
import joshua.network.ConnectionHandler;
import joshua.network.MessageSink;
import joshua.network.mcp.JsonRpc;
import joshua.network.mcp.RpcError;

/**
 * The reader of a client's messages on a pipe: one per line. A line beyond the limit is answered
 * with an error and never held in memory as a whole.
 */
final class StdioReader {
  private static final int BUFFER = 64 * 1024;

  private final InputStream in;
  private final long limit;

  /**
   * Creates a reader of {@code in}'s lines.
   *
   * @param limit the maximum number of bytes of a line
   */
  StdioReader(InputStream in, long limit) {
    this.in = new BufferedInputStream(in, BUFFER);
    this.limit = limit;
  }

  /**
   * Reads to the end.
   *
   * @return why it ended
   */
  String read(ConnectionHandler connectionHandler, MessageSink messageSink) {
    try {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      for (int next = in.read(); next >= 0; next = in.read()) {
        if (next == '\n') {
          take(line, connectionHandler, messageSink);
          line.reset();
        } else if (line.size() < limit) {
          line.write(next);
        } else {
          line.write(next);
          tooLong(line, messageSink);
          line.reset();
        }
      }
      take(line, connectionHandler, messageSink);
      return "the client has closed its end";
    } catch (IOException e) {
      return "the client can't be read from";
    }
  }

  private static void take(
      ByteArrayOutputStream line, ConnectionHandler connectionHandler, MessageSink messageSink) {
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(line.toByteArray()))
              .toString()
              .strip();
      if (!text.isEmpty()) {
        connectionHandler.received(text);
      }
    } catch (CharacterCodingException e) {
      if (JsonRpc.read(line.toByteArray()) instanceof JsonRpc.Malformed malformed) {
        messageSink.send(Json.write(malformed.response()));
      }
    }
  }

  /** Skips the rest of a line, and answers the request that it was. */
  private void tooLong(ByteArrayOutputStream begun, MessageSink messageSink) throws IOException {
    InputStream rest = new RestOfLine();
    JsonNode id =
        idOf(new SequenceInputStream(new ByteArrayInputStream(begun.toByteArray()), rest));
    rest.transferTo(OutputStream.nullOutputStream());
    messageSink.send(Json.write(JsonRpc.failure(id, RpcError.tooLarge(limit))));
  }

  /** The member {@code id} of an object that isn't kept; null if there is none. */
  private static JsonNode idOf(InputStream object) {
    JsonNode id = Json.scalars(object, Set.of("id")).get("id");
    return id == null ? NullNode.getInstance() : id;
  }

  /** What comes until the end of the line. */
  private final class RestOfLine extends InputStream {
    private boolean ended;

    @Override
    public int read() throws IOException {
      int next = ended ? -1 : in.read();
      ended = next < 0 || next == '\n';
      return ended ? -1 : next;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
      int count = 0;
      for (int next = 0; count < most && next >= 0; ) {
        next = read();
        if (next >= 0) {
          into[from + count++] = (byte) next;
        }
      }
      return count == 0 && most > 0 ? -1 : count;
    }
  }
}
