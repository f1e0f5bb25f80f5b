package joshua.network.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The media types that a request has and accepts (RFC 9110, 8.3 and 12.5.1). */
final class MediaTypes {
  static final String JSON = "application/json";
  static final String EVENTS = "text/event-stream";

  private MediaTypes() {}

  static boolean bringsJson(HttpServletRequest request) {
    return mediaType(request.getContentType()).equals(JSON);
  }

  /** Whether it accepts that type; a client that doesn't declare any accepts all. */
  static boolean takes(HttpServletRequest request, String type) {
    boolean any = false;
    for (String header : Collections.list(request.getHeaders("Accept"))) {
      for (String range : header.split(",", -1)) {
        String accepted = mediaType(range);
        any = true;
        if (accepted.equals(type)
            || accepted.equals("*/*")
            || accepted.equals(type.substring(0, type.indexOf('/')) + "/*")) {
          return true;
        }
      }
    }
    return !any;
  }

  private static String mediaType(@Nullable String header) {
    if (header == null) {
      return "";
    }
    int parameters = header.indexOf(';');
    return (parameters < 0 ? header : header.substring(0, parameters))
        .strip()
        .toLowerCase(Locale.ROOT);
  }
}
