package joshua.mcp;

import java.util.List;
import java.util.Optional;
import joshua.network.Caller;
import joshua.network.ResourceProvider;

/** The resources that the conformance suite reads and watches. */
final class FixtureResources implements ResourceProvider {
  private static final String WATCHED = "test://watched-resource";

  @Override
  public List<Resource> resources(Caller caller) {
    return List.of(
        new Resource("test://static-text", "text", "Text", "Static text.", "text/plain"),
        new Resource("test://static-binary", "image", "Image", "A pixel.", "image/png"),
        new Resource(WATCHED, "watched", "Watched", "May change.", "text/plain"));
  }

  @Override
  public List<Resource> templates() {
    return List.of(
        new Resource(
            "test://template/{id}/data", "data", "Data", "Data by id.", "application/json"));
  }

  @Override
  public Optional<Contents> read(String uri, Caller caller) {
    return switch (uri) {
      case "test://static-text", WATCHED ->
          Optional.of(
              new Contents(
                  "text/plain", "This is the content of the static text resource.", false));
      case "test://static-binary" -> Optional.of(new Contents("image/png", Fixtures.PNG, true));
      case "test://template/123/data" ->
          Optional.of(
              new Contents("application/json", "{\"id\":\"123\",\"templateTest\":true}", false));
      default -> Optional.empty();
    };
  }

  @Override
  public Optional<Runnable> watch(String uri, Caller caller, Runnable changed) {
    return uri.equals(WATCHED) ? Optional.of(() -> {}) : Optional.empty();
  }
}
