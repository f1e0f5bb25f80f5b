package joshua.network.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;

/** The reason why a server closes a connection, and the answer to its peer, if any. */
enum EndingReason {
  LATE_HEAD(
      408,
      "The head of a request must come within %d s.".formatted(ConnectionLimits.HEAD.toSeconds())),
  UNFINISHED(408, "Too many connections wait for the head of a request, and this one for longest."),
  LATE_PAGE(0, ""),
  IDLE(0, ""),
  REFUSED(503, "There are as many connections as there may be, in all or of this address.");

  private final int status;
  private final String sentence;

  EndingReason(int status, String sentence) {
    this.status = status;
    this.sentence = sentence;
  }

  boolean isSilent() {
    return status == 0;
  }

  String sentence() {
    return sentence;
  }

  /** A whole answer of HTTP. */
  byte[] answer() {
    byte[] body = HttpErrors.body(status, sentence);
    byte[] head =
        """
        HTTP/1.1 %d %s
        Content-Type: application/json
        Content-Length: %d
        Connection: close

        """
            .formatted(
                status, status == 408 ? "Request Timeout" : "Service Unavailable", body.length)
            .replace("\n", "\r\n")
            .getBytes(UTF_8);
    return ByteBuffer.allocate(head.length + body.length).put(head).put(body).array();
  }
}
