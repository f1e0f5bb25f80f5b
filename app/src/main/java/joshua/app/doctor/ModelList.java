package joshua.app.doctor;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import joshua.thought.langchain.ModelFailures;
import joshua.thought.model.ModelConfig;
import joshua.thought.model.ModelProvider;

/** A request for a server's list of models: it needs the key of a prompt, and costs nothing. */
final class ModelList {
  private static final Duration WITHIN = Duration.ofSeconds(10);

  private ModelList() {}

  /** The configured models that the list lacks; fails with a sentence where there is no list. */
  static List<String> missing(ModelConfig config) throws IOException, InterruptedException {
    ModelFailures failures = new ModelFailures(config, "its models", config.currentKey());
    boolean isAnthropic = config.provider() == ModelProvider.ANTHROPIC;
    String path =
        switch (config.provider()) {
          case OLLAMA -> "/api/tags";
          case ANTHROPIC -> "/models?limit=1000";
          case OPENAI, NONE -> "/models";
        };
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(config.url().replaceFirst("/+$", "") + path))
            .timeout(WITHIN)
            .header("anthropic-version", "2023-06-01"); // which others don't mind
    String header = isAnthropic ? "x-api-key" : "Authorization";
    failures.key().ifPresent(key -> request.header(header, isAnthropic ? key : "Bearer " + key));
    HttpResponse<String> answer;
    // Where nothing says which version a server speaks, an upgrade would be tried.
    var http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(WITHIN);
    try (HttpClient client = http.build()) {
      answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw failures.unreachable(e);
    }
    if (answer.statusCode() / 100 != 2) {
      throw failures.status(answer.statusCode(), answer.body(), null);
    }
    var page = failures.instead("a list of models", answer.body(), true);
    if (page.isPresent()) {
      throw page.get();
    }
    return config.names().stream().filter(name -> !lists(answer.body(), name)).toList();
  }

  /** Whatever the members of a list are called, it has the name as a string of its own. */
  private static boolean lists(String body, String name) {
    return body.contains("\"%s\"".formatted(name))
        || body.contains("\"%s:latest\"".formatted(name));
  }
}
