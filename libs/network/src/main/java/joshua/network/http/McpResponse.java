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
import joshua.network.mcp.Reply;
import joshua.network.mcp.Rpc;
import joshua.network.mcp.RpcError;

/**
 * One HTTP response to an MCP request: a JSON object, or a stream of server-sent events once
 * something has to precede the answer or the answer takes a while. Used by one thread.
 */
final class McpResponse {
  /** How often a stream that waits for an answer gets a comment: so a gone client is noticed. */
  static final Duration WORKING = Duration.ofSeconds(1);

  /** How often a stream that listens gets one: so nobody in between takes it for dead. */
  static final Duration LISTENING = Duration.ofSeconds(15);

  private static final byte[] COMMENT = ":\n\n".getBytes(UTF_8);
  private static final byte[] DATA = "data: ".getBytes(UTF_8);

  private final HttpServletResponse response;
  private final boolean modern;
  private final Passage going;
  private boolean streaming;

  /**
   * Nothing has been written yet.
   *
   * @param going where answers have room until their readers have taken them
   */
  McpResponse(HttpServletResponse response, boolean modern, Passage going) {
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
   * @param mayHear asked before each message and each comment
   * @throws IOException also when the client may hear no more
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
        throw new IOException("the token is no longer in force, or stands for another");
      }
      switch (next) {
        case ResponseQueue.Next.Quiet _ -> {
          OutputStream out = stream();
          out.write(COMMENT);
          out.flush();
        }
        case ResponseQueue.Next.Message(String json) -> event(json);
        case ResponseQueue.Next.Last(Reply.Response last) -> {
          if (streaming) {
            event(Json.write(last.message()));
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
        case ResponseQueue.Next.Overflow _ -> throw new IOException("the client reads too slowly");
      }
    }
  }

  void json(Reply.Response whole) throws IOException {
    json(status(whole), whole.message());
  }

  /** Writes a JSON object; where too much is held for readers already, a short refusal instead. */
  void json(int status, ObjectNode message) throws IOException {
    byte[] body = Json.bytes(message);
    if (!written(body.length, () -> whole(status, body))) {
      JsonNode id = message.has("id") ? message.get("id") : NullNode.getInstance();
      ObjectNode refusal = Rpc.failure(id, RpcError.noRoom());
      whole(modern ? 503 : 200, Json.bytes(refusal));
    }
  }

  private void whole(int status, byte[] body) throws IOException {
    response.setStatus(status);
    response.setContentType("application/json");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
    response.flushBuffer();
  }

  private interface Writing {
    void write() throws IOException;
  }

  /** Writes if there is room for so many bytes; false, with nothing written, if there isn't. */
  private boolean written(int length, Writing writing) throws IOException {
    try (Passage.Load load = going.begin()) {
      try {
        // A large answer is there as text and as a tree, too.
        if (!(length > Passage.SMALL ? load.takeLarge(4L * length) : load.takeSmall())) {
          return false;
        }
        writing.write();
        return true;
      } catch (IOException | RuntimeException | InterruptedException e) {
        if (load.isCut()) {
          throw new IOException("the client reads so slowly that others found no room", e);
        }
        if (e instanceof InterruptedException) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException();
        }
        throw e instanceof IOException cause ? cause : new IOException(e);
      }
    }
  }

  /** Legacy clients take any other status than 200 for a fault of the connection. */
  private int status(Reply.Response whole) {
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

  /** Text that passes through unparsed may have line ends between its tokens: a line each. */
  private void event(String json) throws IOException {
    OutputStream out = stream();
    if (!written(json.length(), () -> event(out, json))) {
      throw new IOException("too much is held for readers already");
    }
  }

  private static void event(OutputStream out, String json) throws IOException {
    for (String line : json.split("\\r\\n|\\n|\\r", -1)) {
      out.write(DATA);
      out.write(line.getBytes(UTF_8));
      out.write('\n');
    }
    out.write('\n');
    out.flush();
  }
}
