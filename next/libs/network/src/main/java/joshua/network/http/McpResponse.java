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

/**
 * The response to a request of MCP: a JSON object, or a stream of events if it takes more than a
 * second. Then a comment each second keeps the connection open through whatever lies between, and
 * shows when the client has gone, which ends its call.
 */
final class McpResponse {
  private static final byte[] COMMENT = ": working\n\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] EVENT = "event: message\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] DATA = "data: ".getBytes(StandardCharsets.US_ASCII);

  private final HttpServletResponse response;
  private final Connection connection;

  McpResponse(HttpServletResponse response, Connection connection) {
    this.response = response;
    this.connection = connection;
  }

  /** Waits for the reply and writes it. */
  void write(CompletableFuture<Reply> pending, boolean modern) throws IOException {
    try {
      Reply reply = await(pending);
      boolean written = false;
      try {
        if (response.isCommitted()) {
          send(event(Json.bytes(reply.message())));
        } else {
          response.setStatus(modern ? reply.status() : HttpServletResponse.SC_OK);
          response.setContentType("application/json");
          byte[] body = Json.bytes(reply.message());
          response.setContentLength(body.length);
          send(body);
        }
        written = true;
      } finally {
        reply.written().accept(written);
      }
    } catch (InterruptedException e) {
      gone(pending);
      Thread.currentThread().interrupt();
    } catch (CancellationException e) {
      // The caller has gone.
    } catch (IOException e) {
      gone(pending);
      throw e;
    }
  }

  private void gone(CompletableFuture<Reply> pending) {
    connection.close();
    var _ =
        pending.thenAccept(reply -> {
          reply.written().accept(false);
        });
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
