package joshua.app.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import joshua.kernel.Json;
import joshua.kernel.KnownSettings.ModelProvider;
import joshua.thought.ModelConfig;

/**
 * Checks the model server: whether it can be reached, accepts the key, and has the models. It is
 * asked for its list of models, which costs nothing.
 *
 * @param who the MADs that use it
 */
public record ModelCheck(String who, ModelConfig config, HttpPages pages) implements HealthCheck {
  private static final String CHECK = "model";
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int FIRST_SERVER_FAULT = 500;

  /** Replaces the check if the key is set in a running MAD's environment only. */
  public static HealthCheck unknown(String mad) {
    return () ->
        List.of(
            CheckFinding.leftOut(
                CHECK, "%s keeps the key to itself; set it here, too".formatted(mad)));
  }

  @Override
  public List<CheckFinding> look() throws InterruptedException {
    if (config.provider() == ModelProvider.NONE) {
      return List.of(
          CheckFinding.ok(
              CHECK, "none for %s: what can be looked up is answered without".formatted(who)));
    }
    URI list = list();
    try {
      return List.of(finding(list, pages.get(list, headers())));
    } catch (IOException e) {
      return List.of(
          CheckFinding.bad(
              CHECK,
              "%s of %s can't be reached (%s).".formatted(list, who, e.getClass().getSimpleName()),
              "Start that server, correct JOSHUA_MODEL_BASE_URL, or look at the network's proxy and"
                  + " firewall."));
    }
  }

  private CheckFinding finding(URI list, HttpPages.Page page) {
    if (page.status() == UNAUTHORIZED || page.status() == FORBIDDEN) {
      return CheckFinding.bad(
          CHECK,
          "%s refuses the key of %s (%d).".formatted(list, who, page.status()),
          "Put a valid key into the file that JOSHUA_MODEL_API_KEY_FILE names.");
    }
    if (page.status() >= FIRST_SERVER_FAULT) {
      return CheckFinding.bad(
          CHECK,
          "%s is in trouble itself (%d).".formatted(list, page.status()),
          "Wait, or look at that server's log; requests are tried again by themselves.");
    }
    if (page.status() != OK) {
      return CheckFinding.warning(
          CHECK,
          "%s answers %d instead of a list of models.".formatted(list, page.status()),
          "Look whether JOSHUA_MODEL_BASE_URL is right; a server without such a list may work all"
              + " the same.");
    }
    return named(list, page.body());
  }

  private CheckFinding named(URI list, String body) {
    Set<String> there = names(body);
    List<String> missing =
        config.names().stream()
            .filter(name -> !there.contains(name) && !there.contains(name + ":latest"))
            .toList();
    return missing.isEmpty()
        ? CheckFinding.ok(CHECK, "%s of %s has %s".formatted(list, who, config.names()))
        : CheckFinding.warning(
            CHECK,
            "%s of %s doesn't list %s.".formatted(list, who, missing),
            "Correct JOSHUA_MODEL_NAME, or have the server load them; some servers list fewer than"
                + " they have.");
  }

  private static Set<String> names(String body) {
    Set<String> names = new HashSet<>();
    try {
      JsonNode page = Json.parse(body);
      page.path("data").forEach(each -> names.add(each.path("id").asText()));
      page.path("models").forEach(each -> names.add(each.path("name").asText()));
    } catch (Json.MalformedJsonException e) {
      // There is no list, so none of the models is on it.
    }
    return names;
  }

  private URI list() {
    String standard =
        switch (config.provider()) {
          case OPENAI -> "https://api.openai.com/v1";
          case ANTHROPIC -> "https://api.anthropic.com/v1";
          case OLLAMA, NONE -> "http://localhost:11434";
        };
    String base = config.baseUrl().map(URI::toString).orElse(standard).replaceFirst("/+$", "");
    return URI.create(base + (config.provider() == ModelProvider.OLLAMA ? "/api/tags" : "/models"));
  }

  private Map<String, String> headers() {
    if (!config.apiKey().isPresent()) {
      return Map.of();
    }
    String key = config.apiKey().reveal();
    return config.provider() == ModelProvider.ANTHROPIC
        ? Map.of("x-api-key", key, "anthropic-version", "2023-06-01")
        : Map.of("Authorization", "Bearer " + key);
  }
}
