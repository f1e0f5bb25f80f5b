package joshua.network.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * The headers that a browser needs before it lets a web page of an allowed origin read our answers
 * (the Fetch standard, CORS). Origins that aren't allowed never get here.
 */
final class CrossOrigin {
  private static final int MAX_AGE_SECONDS = 600;
  private static final int MAX_HEADERS = 1024;

  private CrossOrigin() {}

  /** Allows the page to read the answer. */
  static void allow(HttpServletRequest request, HttpServletResponse response) {
    String origin = request.getHeader("Origin");
    if (origin != null) {
      response.setHeader("Access-Control-Allow-Origin", origin);
      response.setHeader("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate");
      response.addHeader("Vary", "Origin");
    }
  }

  /** Whether a browser asks beforehand what it may send; such a request carries no token. */
  static boolean isPreflight(HttpServletRequest request) {
    return request.getMethod().equals("OPTIONS")
        && request.getHeader("Origin") != null
        && request.getHeader("Access-Control-Request-Method") != null;
  }

  static void answerPreflight(HttpServletRequest request, HttpServletResponse response) {
    response.setStatus(204);
    response.setHeader("Access-Control-Allow-Methods", "GET, POST, DELETE");
    String headers = request.getHeader("Access-Control-Request-Headers");
    if (headers != null && headers.length() <= MAX_HEADERS) {
      response.setHeader("Access-Control-Allow-Headers", headers);
    }
    response.setIntHeader("Access-Control-Max-Age", MAX_AGE_SECONDS);
  }
}
