package joshua.network.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import joshua.kernel.Json;
import joshua.network.mcp.JsonRpc;
import joshua.network.mcp.McpReply;
import joshua.network.mcp.RpcError;

/**
 * The HTTP response to an MCP request: a JSON object, or a stream of server-sent events once
 * something has to precede the answer or the answer takes a while. Used by one thread.
 */
final class McpResponse {
  /**
   * How often a stream that waits for an answer gets a comment, to notice that the client has gone.
   */
  static final Duration WORKING = Duration.ofSeconds(1);

  /** How often a stream that listens gets one, so that no proxy takes it for dead. */
  static final Duration LISTENING = Duration.ofSeconds(15);

  /** How much is written at a time, and then counts as read. */
  private static final int PIECE = 64 * 1024;

  private static final byte[] COMMENT = ":\n\n".getBytes(UTF_8);
  private static final byte[] DATA = "data: ".getBytes(UTF_8);

  private final HttpServletResponse response;
  private final JsonNode id;
  private final String caller;
  private final boolean modern;
  private final TransferBudget going;
  private boolean streaming;

  /**
   * Creates a response of which nothing has been written yet.
   *
   * @param id the request's; null of JSON if there is none
   * @param going the budget for answers until their readers have taken them
   */
  McpResponse(HttpServletResponse response, JsonNode id, boolean modern, TransferBudget going) {
    this(response, id, modern, going, "");
  }

  /** As above, for that caller: its large answers come in turn. */
  McpResponse(
      HttpServletResponse response,
      JsonNode id,
      boolean modern,
      TransferBudget going,
      String caller) {
    this.caller = caller;
    this.id = id;
    this.response = response;
    this.modern = modern;
    this.going = going;
  }

  /** Writes what comes through the queue, up to the response that is worked on. */
  void work(ResponseQueue queue) throws IOException, InterruptedException {
    write(queue, WORKING, () -> true);
  }

  /**
   * Streams, from now on and up to the response, what comes through the queue.
   *
   * @param mayHear asked before each message and each comment; when it may not, that is the
   *     response
   */
  void listen(ResponseQueue queue, BooleanSupplier mayHear)
      throws IOException, InterruptedException {
    stream();
    write(queue, LISTENING, mayHear);
  }

  private void write(ResponseQueue queue, Duration commentEvery, BooleanSupplier mayHear)
      throws IOException, InterruptedException {
    while (true) {
      ResponseQueue.Next next = queue.next(commentEvery);
      if (!mayHear.getAsBoolean()) {
        revoked();
        return;
      }
      switch (next) {
        case ResponseQueue.Next.Quiet _ -> {
          OutputStream out = stream();
          out.write(COMMENT);
          out.flush();
        }
        case ResponseQueue.Next.Message(String json) -> event(json.getBytes(UTF_8));
        case ResponseQueue.Next.Last(McpReply.Response last) -> {
          if (streaming) {
            event(bytes(last.message()));
            response.getOutputStream().close();
          } else {
            json(status(last), last.message());
          }
          return;
        }
        case ResponseQueue.Next.Abandoned _ -> {
          stream();
          return;
        }
        case ResponseQueue.Next.Revoked _ -> {
          revoked();
          return;
        }
        case ResponseQueue.Next.Overflow(String reason) -> {
          givenUp(reason);
          throw new IOException("the client reads too slowly: " + reason);
        }
      }
    }
  }

  /** Ends the response with an error: too much has waited for its reader. */
  private void givenUp(String reason) throws IOException {
    if (!id.isNull()) {
      event(Json.bytes(JsonRpc.failure(id, RpcError.slowReader(reason))));
    }
  }

  /**
   * Ends it with {@code unauthenticated}; a stream that isn't a request's ends without a message.
   */
  private void revoked() throws IOException {
    if (streaming) {
      if (!id.isNull()) {
        event(Json.bytes(JsonRpc.failure(id, RpcError.revoked())));
      }
      response.getOutputStream().close();
    } else {
      response.setHeader("WWW-Authenticate", RequestFilter.INVALID_TOKEN);
      json(401, JsonRpc.failure(id, RpcError.revoked()));
    }
  }

  /** Writes the response of a request that needed no work; nothing precedes it. */
  void json(McpReply.Response whole, ResponseQueue queue) throws IOException {
    queue.close();
    json(whole);
  }

  void json(McpReply.Response whole) throws IOException {
    json(status(whole), whole.message());
  }

  /** Writes a JSON object; if too much is held for readers already, a short refusal instead. */
  void json(int status, ObjectNode message) throws IOException {
    byte[] body = bytes(message);
    if (!written(body.length, load -> whole(status, body, load))) {
      JsonNode id = message.has("id") ? message.get("id") : NullNode.getInstance();
      ObjectNode refusal = JsonRpc.failure(id, RpcError.noRoom());
      try (TransferBudget.Load load = going.begin()) {
        whole(modern ? 503 : 200, Json.bytes(refusal), load);
      }
    }
  }

  /** Refuses a message that can't be answered by its id. */
  void refuse(int status, String sentence) throws IOException {
    ObjectNode message = Json.object().put("jsonrpc", "2.0").putNull("id");
    message.putObject("error").put("code", RpcError.INVALID_REQUEST).put("message", sentence);
    json(status, message);
  }

  private void whole(int status, byte[] body, TransferBudget.Load load) throws IOException {
    response.setStatus(status);
    response.setContentType("application/json");
    response.setContentLength(body.length);
    OutputStream out = response.getOutputStream();
    pieces(out, body, 0, body.length, load);
    response.flushBuffer();
  }

  private interface Writing {
    void write(TransferBudget.Load load) throws IOException;
  }

  /** Writes if there is room for so many bytes; false, with nothing written, if there isn't. */
  private boolean written(int length, Writing writing) throws IOException {
    try (TransferBudget.Load load = going.begin()) {
      try {
        // A large answer is there as text and as a tree, too.
        if (!(length > TransferBudget.SMALL ? load.takeLarge(4L * length) : load.takeSmall())) {
          return false;
        }
        writing.write(load);
        return true;
      } catch (IOException | RuntimeException | InterruptedException e) {
        if (load.isCut()) {
          throw new IOException("the client reads too slowly", e);
        }
        if (e instanceof InterruptedException) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException();
        }
        throw e instanceof IOException cause ? cause : new IOException(e);
      }
    }
  }

  /** Legacy clients take any status but 200 for a connection fault. */
  private int status(McpReply.Response whole) {
    return modern ? whole.error().map(RpcError::httpStatus).orElse(200) : 200;
  }

  private OutputStream stream() throws IOException {
    if (!streaming) {
      streaming = true;
      response.setStatus(200);
      response.setContentType("text/event-stream");
      response.setCharacterEncoding("UTF-8");
      response.setHeader("Cache-Control", "no-store");
      response.setHeader("X-Accel-Buffering", "no");
      response.flushBuffer();
    }
    return response.getOutputStream();
  }

  private byte[] bytes(ObjectNode message) throws IOException {
    try {
      return JsonRpc.bytes(message, caller);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  /** Text that passes through unparsed may have line ends between its tokens: a line each. */
  private void event(byte[] json) throws IOException {
    OutputStream out = stream();
    if (!written(json.length, load -> event(out, json, load))) {
      throw new IOException("too much is held for readers already");
    }
  }

  private static void event(OutputStream out, byte[] json, TransferBudget.Load load)
      throws IOException {
    out.write(DATA);
    int from = 0;
    for (int i = 0; i < json.length; i++) {
      if (json[i] == '\n' || json[i] == '\r') {
        pieces(out, json, from, i, load);
        out.write('\n');
        out.write(DATA);
        if (json[i] == '\r' && i + 1 < json.length && json[i + 1] == '\n') {
          i++;
        }
        from = i + 1;
      }
    }
    pieces(out, json, from, json.length, load);
    out.write('\n');
    out.write('\n');
    out.flush();
  }

  private static void pieces(
      OutputStream out, byte[] from, int begin, int end, TransferBudget.Load load)
      throws IOException {
    for (int at = begin; at < end; at += PIECE) {
      int length = Math.min(PIECE, end - at);
      out.write(from, at, length);
      load.moved(length);
    }
  }
}
