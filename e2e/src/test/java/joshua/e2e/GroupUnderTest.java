package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.testing.RawRedis;

/**
 * A running group, {@code joshua up}, as its {@code run.json} describes it.
 *
 * @param run the process
 * @param data its data directory
 * @param runFile the content of {@code run.json} when everything ran
 */
record GroupUnderTest(TestEnvironment stage, ProgramRun run, Path data, JsonNode runFile) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  static GroupUnderTest of(TestEnvironment environment, ProgramRun programRun, Path data) {
    try {
      return new GroupUnderTest(
          environment, programRun, data, Json.parse(Files.readAllBytes(data.resolve("run.json"))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Json.MalformedJsonException e) {
      throw new AssertionError("run.json", e);
    }
  }

  /** The current content of {@code run.json}. */
  JsonNode runFileNow() {
    return of(stage, run, data).runFile();
  }

  int gracePort() {
    return port("grace");
  }

  int redisPort() {
    return port("redis");
  }

  /** Where a part of the group listens. */
  int port(String name) {
    return runFile.path("ports").path(name).asInt();
  }

  /** Where Grace accepts design frames. */
  String ws() {
    return "ws://127.0.0.1:%d/ws".formatted(gracePort());
  }

  Path passwordFile() {
    return data.resolve("redis.password");
  }

  String password() {
    try {
      return Files.readString(passwordFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The embedded redis-server that is running; if it is a link, the file has another name. */
  ProcessHandle redis() {
    return run.descendants().stream()
        .filter(process -> process.info().command().orElse("").contains("/redis-"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no redis-server runs:\n" + run));
  }

  /** A connection to the embedded Redis, logged in. */
  RawRedis raw() {
    return stage.add(RawRedis.to(redisPort(), password()));
  }

  /** A new client of Grace on a socket of its own. */
  FrameSocketClient client() {
    return client("grace");
  }

  /** A new client of a MAD on a socket of its own. */
  FrameSocketClient client(String mad) {
    return stage.add(FrameSocketClient.to(port(mad)));
  }

  /** A page of Grace, for instance {@code /metrics}. */
  HttpResponse<String> get(String path) {
    return get("grace", path);
  }

  /** A page of a MAD. */
  HttpResponse<String> get(String mad, String path) {
    try {
      return HTTP.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port(mad) + path)).build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /**
   * The sum of a metric of Grace over all its tags.
   *
   * @param tags only those that have all of these, {@code tool="grace_send_message"}
   */
  double metric(String name, String... tags) {
    Matcher lines =
        Pattern.compile("(?m)^%s(\\{.*})? (\\S+)$".formatted(name)).matcher(get("/metrics").body());
    double sum = 0;
    boolean found = false;
    while (lines.find()) {
      String labels = String.valueOf(lines.group(1));
      if (Stream.of(tags).allMatch(labels::contains)) {
        found = true;
        sum += Double.parseDouble(lines.group(2));
      }
    }
    if (!found) {
      throw new AssertionError("no metric " + name + " " + List.of(tags));
    }
    return sum;
  }
}
