package joshua.app.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/** Reads short pages from HTTP servers, within seconds, and follows no redirect. */
public final class HttpPages implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** A list of models has a few hundred entries of a few hundred bytes each. */
  private static final long LARGEST = 4L << 20;

  /** The answer. */
  record Page(int status, String body) {}

  private final HttpClient http =
      HttpClient.newBuilder()
          .connectTimeout(PATIENCE)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  Page get(URI uri) throws IOException, InterruptedException {
    return get(uri, Map.of());
  }

  Page get(URI uri, Map<String, String> headers) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(PATIENCE);
    headers.forEach(request::header);
    HttpResponse<String> answer =
        http.send(request.build(), BodyHandlers.limiting(BodyHandlers.ofString(UTF_8), LARGEST));
    return new Page(answer.statusCode(), answer.body());
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
