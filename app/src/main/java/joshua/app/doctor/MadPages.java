package joshua.app.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import joshua.kernel.Json;

/**
 * What a MAD reports about itself on a port, without a token.
 *
 * @param host as in a URL
 */
record MadPages(HttpPages pages, String host, int port) {
  private static final int OK = 200;

  /** The MAD that answers there, and its build. */
  record Alive(String mad, String version) {}

  URI uri(String path) {
    return URI.create("http://%s:%d%s".formatted(host, port, path));
  }

  /** Empty if nothing answers, or something that isn't a MAD. */
  Optional<Alive> alive() throws InterruptedException {
    try {
      HttpPages.Page page = pages.get(uri("/healthz"));
      JsonNode said = Json.parse(page.body());
      return page.status() == OK && said.path("status").asText().equals("alive")
          ? Optional.of(new Alive(said.path("mad").asText(), said.path("version").asText()))
          : Optional.empty();
    } catch (IOException | Json.MalformedJsonException e) {
      return Optional.empty();
    }
  }
}
