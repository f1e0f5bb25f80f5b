package joshua.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class HealthProbeTest {
  private static final String PORT = "JOSHUA_GRACE_PORT";

  @Test
  void isReadyWhenTheMadSaysSo() throws IOException {
    HealthProbe.Finding finding = asked(200, "{\"status\":\"ready\",\"problems\":[]}");

    assertThat(finding.ready()).isTrue();
    assertThat(finding.sentence()).contains("\"ready\"");
  }

  @Test
  void saysWhatTheMadFindsWrong() throws IOException {
    HealthProbe.Finding finding =
        asked(503, "{\"status\":\"not ready\",\r\n\"problems\":[\"Redis\"]}");

    assertThat(finding.ready()).isFalse();
    assertThat(finding.sentence()).contains("Redis").doesNotContain("\n");
  }

  @Test
  void readsNoMoreThanItHasRoomFor() throws IOException {
    HealthProbe.Finding finding = asked(503, "x".repeat(HealthProbe.MAX_ANSWER + 1));

    assertThat(finding.ready()).isFalse();
    assertThat(finding.sentence().length()).isLessThanOrEqualTo(HealthProbe.MAX_ANSWER);
  }

  @Test
  void isNotReadyWhenNobodyListens() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }

    HealthProbe.Finding finding =
        HealthProbe.ask(new String[] {PORT, "1"}, Map.of(PORT, "" + free));

    assertThat(finding.ready()).isFalse();
    assertThat(finding.sentence()).contains("Nobody answers on port " + free);
  }

  @Test
  void refusesWhatIsNoPort() {
    for (String port : new String[] {"many", "65536", "-1"}) {
      assertThat(HealthProbe.ask(new String[] {PORT, "8000"}, Map.of(PORT, port)))
          .isEqualTo(new HealthProbe.Finding(false, PORT + " is no TCP port."));
    }
    assertThat(HealthProbe.ask(new String[] {PORT}, Map.of()).ready()).isFalse();
  }

  @Test
  void asksOnTheUsualPortWhereNoneIsSet() throws IOException {
    try (Page page = Page.of(200, "{}")) {
      String usual = "" + page.port();

      assertThat(HealthProbe.ask(new String[] {PORT, usual}, Map.of(PORT, "")).ready()).isTrue();
      assertThat(page.asked()).isEqualTo("GET /readyz");
    }
  }

  private static HealthProbe.Finding asked(int status, String body) throws IOException {
    try (Page page = Page.of(status, body)) {
      return HealthProbe.ask(new String[] {PORT, "1"}, Map.of(PORT, "" + page.port()));
    }
  }

  /** A server with one answer. */
  private record Page(HttpServer server, AtomicReference<String> last) implements AutoCloseable {
    static Page of(int status, String body) throws IOException {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      AtomicReference<String> last = new AtomicReference<>("");
      server.createContext(
          "/",
          exchange -> {
            last.set(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            byte[] bytes = body.getBytes(UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            try (exchange) {
              exchange.getResponseBody().write(bytes);
            }
          });
      server.start();
      return new Page(server, last);
    }

    int port() {
      return server.getAddress().getPort();
    }

    String asked() {
      return last.get();
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
