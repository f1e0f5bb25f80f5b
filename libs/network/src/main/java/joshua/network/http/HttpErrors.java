package joshua.network.http;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answers to requests that no route handles: malformed HTTP, unknown paths, internal errors.
 * They are always {@code {"status":"error","code","message"}}, in our own words, whether Jetty, the
 * servlet container or Javalin found the fault.
 */
final class HttpErrors extends ErrorHandler {
  private static final Logger log = LoggerFactory.getLogger(HttpErrors.class);
  private static final HttpField JSON = new HttpField(HttpHeader.CONTENT_TYPE, MediaTypes.JSON);

  /** Bytes of the largest request line and header fields. */
  static final int HEAD_LIMIT = 16 * 1024;

  HttpErrors() {
    setCacheControl(null);
  }

  /** Answers also for what Javalin finds. */
  void mount(RoutesConfig routes) {
    routes.exception(
        HttpResponseException.class, (e, context) -> write(context, e.getStatus(), null));
    routes.exception(
        IOException.class,
        (e, context) -> {
          log.debug("a client has gone before its answer", e);
          write(context, 400, null);
        });
    routes.exception(
        Exception.class,
        (e, context) -> {
          HttpException malformed = malformed(e);
          write(context, malformed == null ? 500 : malformed.getCode(), e);
        });
  }

  private void write(Context context, int status, @Nullable Throwable cause) {
    context
        .status(status)
        .contentType(MediaTypes.JSON)
        .result(body(status, status >= 500 ? cause : null));
  }

  /** What is wrong with the request as HTTP, if that is why something has failed. */
  static @Nullable HttpException malformed(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof HttpException malformed) {
        return malformed;
      }
    }
    return null;
  }

  @Override
  public boolean errorPageForMethod(String method) {
    return true;
  }

  @Override
  protected void generateResponse(
      Request request,
      Response response,
      int code,
      String message,
      @Nullable Throwable cause,
      Callback callback) {
    byte[] body = body(code, code == 500 ? cause : null);
    response.getHeaders().put(JSON);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
    response.write(true, ByteBuffer.wrap(body), callback);
  }

  private byte[] body(int status, @Nullable Throwable cause) {
    Refusal refusal = refusal(status);
    if (cause != null && !(cause instanceof IOException)) {
      String correlationId = UUID.randomUUID().toString();
      log.error("a request failed, correlation id {}", correlationId, cause);
      refusal =
          Refusal.of(
              ErrorCode.INTERNAL,
              "The service failed; its log tells more under correlation id " + correlationId + ".");
    }
    return bytes(refusal);
  }

  /**
   * Answers with that status and closes the connection, since where the next request begins is
   * unknown.
   */
  static void answer(HttpServletResponse response, int status) throws IOException {
    RequestFilter.refuse(response, status, refusal(status));
  }

  /** The body for that status, with {@code sentence} if none of the sentences here has the rule. */
  static byte[] body(int status, String sentence) {
    ErrorCode code = status == 503 ? ErrorCode.OVERLOADED : refusal(status).code();
    return bytes(Refusal.of(code, sentence));
  }

  /** A refusal as it is written. */
  static byte[] bytes(Refusal refusal) {
    return Json.bytes(refusal.tree());
  }

  private static Refusal refusal(int status) {
    return switch (status) {
      case 404 ->
          Refusal.of(
              ErrorCode.INVALID_INPUT,
              "There is nothing at this path: there are /mcp, /ws, /healthz, /readyz, /metrics.");
      case 405 -> Refusal.of(ErrorCode.INVALID_INPUT, "This path doesn't answer that method.");
      case 408 -> Refusal.of(ErrorCode.INVALID_INPUT, "The request didn't come whole in time.");
      case 413 -> Refusal.of(ErrorCode.TOO_LARGE, "The body is larger than it may be.");
      case 414, 431 ->
          Refusal.of(
              ErrorCode.TOO_LARGE,
              "The request line and header fields may take %d bytes.".formatted(HEAD_LIMIT));
      case 426 ->
          Refusal.of(ErrorCode.INVALID_INPUT, "A WebSocket is opened here: send an upgrade.");
      case 501 ->
          Refusal.of(
              ErrorCode.INVALID_INPUT,
              "A body may be sent in chunks or with its length; no other coding is understood.");
      case 505 -> Refusal.of(ErrorCode.INVALID_INPUT, "HTTP/1.1 and HTTP/1.0 are spoken here.");
      default ->
          status >= 500
              ? Refusal.of(ErrorCode.INTERNAL, "The service failed; its log tells more.")
              : Refusal.of(ErrorCode.INVALID_INPUT, "The request is not valid HTTP/1.1.");
    };
  }
}
