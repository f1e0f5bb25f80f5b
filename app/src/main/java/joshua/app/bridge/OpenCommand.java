package joshua.app.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import joshua.app.settings.ConsoleCommand;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.network.RemoteService.NotServedException;
import joshua.ssh.ExitStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code console}: opens Rogers' page for people, logged in by a code that is good for once. */
@Command(name = "console", description = "Opens the console, a page for people, in a browser.")
public final class OpenCommand extends ConsoleCommand implements Callable<Integer> {
  @Mixin private ServiceOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    URI page =
        options
            .address("rogers")
            .orElseThrow(
                () -> NotServedException.away("No Rogers runs here; ./joshua up starts it."))
            .resolve("/");
    Optional<String> token = options.token();
    if (token.isPresent()) {
      page = page.resolve("#code=" + code(page, token.get()));
    }
    out().println(page);
    boolean isMac = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac");
    if (isMac || Stream.of("DISPLAY", "WAYLAND_DISPLAY").anyMatch(System.getenv()::containsKey)) {
      open(isMac ? "open" : "xdg-open", page);
    }
    return ExitStatus.OK;
  }

  private static String code(URI page, String token) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(page.resolve("/console/code"))
            .header("Authorization", "Bearer " + token)
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      String body = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
      JsonNode answer = Json.parse(body);
      if (!answer.has("code") || answer.has("message")) {
        throw new IOException(answer.path("message").asText());
      }
      return answer.path("code").asText();
    } catch (MalformedJsonException e) {
      throw new IOException("%s isn't Rogers'.".formatted(page), e);
    }
  }

  /** Without a browser, the address that was printed is enough. */
  private static void open(String program, URI page) {
    try {
      new ProcessBuilder(program, page.toString())
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      // as said
    }
  }
}
