package joshua.network.http;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import joshua.kernel.Json;
import joshua.network.Connection;
import joshua.network.mcp.McpServer.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The response to a request of MCP: a JSON object, or a stream of events if it takes more than a
 * second. Then a comment each second keeps the connection open through whatever lies between, and
 * shows when the client has gone, which ends its call.
 */
final class McpResponse {
  private static final byte[] COMMENT = ": working\n\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] EVENT = "event: message\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] DATA = "data: ".getBytes(StandardCharsets.US_ASCII);

  private static final Logger log = LoggerFactory.getLogger(McpResponse.class);

  private final HttpServletResponse response;
  private final Connection connection;

  McpResponse(HttpServletResponse response, Connection connection) {
    this.response = response;
    this.connection = connection;
  }

  /** Waits for the reply and writes it, if there is still somebody to read it. */
  void write(CompletableFuture<Reply> pending, boolean modern) {
    Reply reply;
    try {
      reply = await(pending);
    } catch (CancellationException e) {
      return;
    } catch (InterruptedException | IOException e) {
      connection.close();
      var _ = pending.thenAccept(unread -> unread.written().accept(false));
      return;
    }
    boolean written = false;
    try {
      write(reply, modern);
      written = true;
    } catch (IOException e) {
      log.debug("{}: the client has gone", connection.id(), e);
    } finally {
      reply.written().accept(written);
    }
  }

  private void write(Reply reply, boolean modern) throws IOException {
    byte[] message = Json.bytes(reply.message());
    if (response.isCommitted()) {
      send(event(message));
      return;
    }
    response.setStatus(modern ? reply.status() : HttpServletResponse.SC_OK);
    response.setContentType("application/json");
    response.setContentLength(message.length);
    send(message);
  }

  private Reply await(CompletableFuture<Reply> pending) throws IOException, InterruptedException {
    while (true) {
      try {
        return pending.get(1, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        if (connection.isGone()) {
          connection.close();
        } else {
          comment();
        }
      } catch (ExecutionException e) {
        throw new CancellationException(String.valueOf(e.getMessage()));
      }
    }
  }

  private void comment() throws IOException {
    if (!response.isCommitted()) {
      response.setStatus(HttpServletResponse.SC_OK);
      response.setContentType("text/event-stream");
      response.setHeader("Cache-Control", "no-store");
      response.setHeader("X-Accel-Buffering", "no");
    }
    send(COMMENT);
  }

  /** An event; the message may have line ends, since envelopes are passed on as they came. */
  private static byte[] event(byte[] message) {
    ByteArrayOutputStream event = new ByteArrayOutputStream(message.length + 64);
    event.writeBytes(EVENT);
    event.writeBytes(DATA);
    for (byte b : message) {
      if (b == '\r') {
        continue;
      }
      event.write(b);
      if (b == '\n') {
        event.writeBytes(DATA);
      }
    }
    event.write('\n');
    event.write('\n');
    return event.toByteArray();
  }

  private void send(byte[] bytes) throws IOException {
    ServletOutputStream output = response.getOutputStream();
    output.write(bytes);
    output.flush();
  }
}
