package joshua.network.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.kernel.Refusal;
import joshua.network.Connection;
import joshua.network.mcp.JsonRpc;
import joshua.network.mcp.McpServer;
import joshua.network.mcp.McpServer.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The response to a request of MCP: a JSON object, or a stream of events if there are notifications
 * before the result or it takes long. Comments then keep the connection open through proxies, and
 * detect that the client has gone, which ends its call.
 */
final class McpResponse {
  /** Messages that may be queued before the result. */
  private static final int MAX_PENDING = 256;

  private static final int MAX_EVENT_ID = 100;

  /** The pause before a client asks for a broken stream: a restart takes less. */
  private static final long RETRY_MILLIS = 12_000;

  private static final byte[] COMMENT = ": working\n\n".getBytes(StandardCharsets.US_ASCII);
  private static final Refusal NO_ROOM =
      Refusal.of(
          ErrorCode.OVERLOADED,
          "Other large messages take all the memory there is for them, so this answer wasn't given;"
              + " wait 5 s and ask again, or ask for less.");
  private static final Refusal BROKEN_OFF =
      Refusal.of(
          ErrorCode.UNAVAILABLE,
          "The connection broke off before the answer, or the service was started anew; call again.");
  private static final ObjectNode END = Json.object();

  private static final Logger log = LoggerFactory.getLogger(McpResponse.class);

  private final HttpServletResponse response;
  private final Connection connection;
  private final Duration commentInterval;
  private final BlockingQueue<ObjectNode> before = new LinkedBlockingQueue<>();
  private String first = "";

  McpResponse(HttpServletResponse response, Connection connection, Duration commentInterval) {
    this.response = response;
    this.connection = connection;
    this.commentInterval = commentInterval;
  }

  /**
   * Lets a client resume a broken stream, for which the answer is a refusal: clients of 2025-11-25
   * would otherwise wait for minutes.
   */
  void enableResumption(JsonRpc.Request call) {
    String id = call.id().toString();
    if (id.length() <= MAX_EVENT_ID && id.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      first = "id: %s\nretry: %d\ndata:\n\n".formatted(id, RETRY_MILLIS);
    }
  }

  /** Answers a request to resume a stream, by the id of its first event. */
  void answerResumption(String eventId) {
    try {
      JsonNode id = Json.parse(eventId);
      JsonRpc.Request call = new JsonRpc.Request(id, "tools/call", Json.object());
      send(event(Json.bytes(McpServer.refusal(call, BROKEN_OFF))));
    } catch (MalformedJsonException | IOException e) {
      connection.close();
    }
  }

  /** Queues a message before the result; false if the client doesn't read. */
  boolean offer(ObjectNode message) {
    return before.size() < MAX_PENDING && before.offer(message);
  }

  /** Waits for the reply, and writes it if the client is still there and the budget has room. */
  void write(
      CompletableFuture<Reply> pending,
      JsonRpc.Request request,
      boolean modern,
      MessageBudget.Share share) {
    boolean written = false;
    try {
      Reply reply = await(pending);
      byte[] message = Json.bytes(reply.message());
      written = share.tryTake(message.length);
      if (!written) {
        message = Json.bytes(McpServer.refusal(request, NO_ROOM));
      }
      write(message, modern ? reply.status() : HttpServletResponse.SC_OK);
    } catch (CancellationException e) {
      if (!response.isCommitted()) {
        response.setStatus(HttpServletResponse.SC_ACCEPTED);
      }
    } catch (InterruptedException | IOException e) {
      written = false;
      log.debug("{}: the client has gone", connection.id(), e);
      connection.close();
    } finally {
      boolean read = written;
      var _ = pending.thenAccept(reply -> reply.written().accept(read));
    }
  }

  /** Writes queued messages until the reply, which isn't sent, or until the client goes. */
  void stream(CompletableFuture<Reply> pending) {
    try {
      send(COMMENT);
      var _ = await(pending);
    } catch (CancellationException | InterruptedException | IOException e) {
      connection.close();
    }
  }

  private void write(byte[] message, int status) throws IOException {
    if (response.isCommitted()) {
      write(event(message));
      return;
    }
    response.setStatus(status);
    response.setContentType("application/json");
    response.setContentLength(message.length);
    write(message);
  }

  private Reply await(CompletableFuture<Reply> pending) throws IOException, InterruptedException {
    var _ = pending.whenComplete((reply, failure) -> before.add(END));
    while (true) {
      ObjectNode message = before.poll(commentInterval.toMillis(), TimeUnit.MILLISECONDS);
      if (END.equals(message)) {
        if (pending.state() == Future.State.SUCCESS) {
          return pending.resultNow();
        }
        throw new CancellationException("the caller has gone");
      }
      if (message != null) {
        send(event(Json.bytes(message)));
      } else if (connection.isGone()) {
        connection.close();
      } else {
        send(COMMENT);
      }
    }
  }

  /** Writes a part of a stream, and its beginning before the first one. */
  private void send(byte[] part) throws IOException {
    if (!response.isCommitted()) {
      response.setStatus(HttpServletResponse.SC_OK);
      response.setContentType("text/event-stream");
      response.setHeader("Cache-Control", "no-store");
      response.setHeader("X-Accel-Buffering", "no");
      write(first.getBytes(StandardCharsets.US_ASCII));
    }
    write(part);
  }

  /** An event; the message may have line ends, since envelopes are passed on as they came. */
  private static byte[] event(byte[] message) {
    String lines =
        new String(message, StandardCharsets.UTF_8).replace("\r", "").replace("\n", "\ndata: ");
    return ("event: message\ndata: " + lines + "\n\n").getBytes(StandardCharsets.UTF_8);
  }

  private void write(byte[] bytes) throws IOException {
    ServletOutputStream output = response.getOutputStream();
    output.write(bytes);
    output.flush();
  }
}
