package joshua.network.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.network.Authenticator;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Broken HTTP is answered with our own JSON, never with a page of the framework's. */
class HttpErrorTest {
  private static final String POST =
      """
      POST /mcp HTTP/1.1
      Host: 127.0.0.1
      Content-Type: application/json
      Accept: application/json, text/event-stream
      MCP-Protocol-Version: 2025-11-25
      """;

  private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

  private static McpFixture fixture;

  /** A request, and the answer that it must get. */
  private record Broken(String request, int status, String code) {}

  @BeforeAll
  static void start() throws Exception {
    fixture = new McpFixture(Authenticator.open(), 10_000);
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  static Stream<Broken> broken() {
    return Stream.of(
        new Broken("NONSENSE\n\n", 400, "invalid_input"),
        new Broken("GET / HTTP/9.9\n\n", 505, "invalid_input"),
        new Broken("GET / HTTP/1.1\n\n", 400, "invalid_input"),
        new Broken("GET /healthz HTTP/1.1\nHost: a b/c\n\n", 400, "invalid_input"),
        new Broken("GET /healthz HTTP/1.1\nHost: a\nHost: b\n\n", 400, "invalid_input"),
        new Broken("GET /healthz HTTP/1.1\nHost: a\nNo colon\n\n", 400, "invalid_input"),
        new Broken("GET /%zz HTTP/1.1\nHost: 127.0.0.1\n\n", 400, "invalid_input"),
        new Broken("GET /..%2f..%2fetc HTTP/1.1\nHost: 127.0.0.1\n\n", 404, "invalid_input"),
        new Broken("GET /no/such/page HTTP/1.1\nHost: 127.0.0.1\n\n", 404, "invalid_input"),
        new Broken("POST /healthz HTTP/1.1\nHost: 127.0.0.1\n\n", 405, "invalid_input"),
        new Broken("PUT /mcp HTTP/1.1\nHost: 127.0.0.1\n\n", 405, "invalid_input"),
        new Broken("BREW /mcp HTTP/1.1\nHost: 127.0.0.1\n\n", 405, "invalid_input"),
        new Broken("GET /ws HTTP/1.1\nHost: 127.0.0.1\n\n", 426, "invalid_input"),
        new Broken(
            "GET /healthz HTTP/1.1\nHost: a\nX: " + "x".repeat(20_000) + "\n\n", 431, "too_large"),
        new Broken("GET /" + "x".repeat(20_000) + " HTTP/1.1\nHost: a\n\n", 414, "too_large"),
        new Broken(POST + "Content-Length: -5\n\n", 400, "invalid_input"),
        new Broken(POST + "Content-Length: 5\nContent-Length: 6\n\n", 400, "invalid_input"),
        new Broken(
            POST + "Content-Length: 5\nTransfer-Encoding: chunked\n\n", 400, "invalid_input"),
        new Broken(POST + "Transfer-Encoding: gzip\n\n", 400, "invalid_input"),
        new Broken(POST + "Transfer-Encoding: gzip, chunked\n\n0\n\n", 501, "invalid_input"),
        new Broken(POST + "Transfer-Encoding: chunked\n\nzz\n{}\n0\n\n", 400, "invalid_input"),
        new Broken(POST + "Transfer-Encoding: chunked\n\n-2\n{}\n0\n\n", 400, "invalid_input"),
        new Broken(POST + "Transfer-Encoding: chunked\n\n2\n{}}}\n0\n\n", 400, "invalid_input"),
        new Broken(
            POST + "Transfer-Encoding: chunked\n\nfffffffffffffffff\n{}\n", 400, "invalid_input"));
  }

  @ParameterizedTest
  @MethodSource("broken")
  @TriesLimit("http.head")
  void brokenHttpIsAnsweredInOurOwnWords(Broken broken) throws Exception {
    try (RawClient client = new RawClient(fixture.port())) {
      String head = client.request(broken.request());
      String body = client.body(head);

      assertThat(head).startsWith("HTTP/1.1 " + broken.status() + " ");
      assertThat(head).containsIgnoringCase("content-type: application/json");
      assertThat(head + body).doesNotContainIgnoringCase("jetty").doesNotContain("Exception");
      JsonNode error = Json.parse(body);
      assertThat(error.path("status").asText()).isEqualTo("error");
      assertThat(error.path("code").asText()).isEqualTo(broken.code());
      assertThat(error.path("message").asText()).isNotBlank().hasSizeLessThan(300);
    }
  }

  @Test
  void aChunkedBodyThatIsWholeIsUnderstood() throws Exception {
    try (RawClient client = new RawClient(fixture.port())) {
      String head =
          client.request(
              POST
                  + "Transfer-Encoding: chunked\n\n%x;ext=1\n%s\n0\nTrailer: x\n\n"
                      .formatted(PING.length(), PING));
      assertThat(head).startsWith("HTTP/1.1 200 ");
      assertThat(Json.parse(client.body(head)).has("result")).isTrue();
    }
  }

  @Test
  void headIsAnsweredAsGetWithoutTheBody() throws Exception {
    for (String path : List.of("/healthz", "/readyz", "/metrics")) {
      try (RawClient client = new RawClient(fixture.port())) {
        String request = " " + path + " HTTP/1.1\nHost: 127.0.0.1\n\n";
        String get = client.request("GET" + request);
        int length = client.body(get).length();
        String head = client.request("HEAD" + request);
        // A body would stand before the next answer.
        String next = client.request("GET" + request);

        assertThat(head).startsWith("HTTP/1.1 200 ");
        assertThat(contentType(head)).isEqualTo(contentType(get));
        assertThat(head).containsIgnoringCase("content-length: ");
        assertThat(length).isPositive();
        assertThat(next).startsWith("HTTP/1.1 200 ");
      }
    }
  }

  private static String contentType(String head) {
    return head.replaceFirst("(?si).*content-type: *([^\r]*).*", "$1");
  }
}
