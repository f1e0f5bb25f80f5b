package joshua.network.conformance;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.mcp.ResourceProvider;
import joshua.network.mcp.ResourceSubscription;

/** The resources that the suite reads. */
final class FixtureResources implements ResourceProvider {
  private static final Pattern TEMPLATE = Pattern.compile("test://template/([^/]+)/data");

  @Override
  public List<Resource> list(Caller caller) {
    return List.of(
        new Resource("test://static-text", "static-text", "Text", "Static text.", "text/plain"),
        new Resource("test://static-binary", "static-binary", "Image", "A pixel.", "image/png"),
        new Resource("test://watched-resource", "watched", "Watched", "May change.", "text/plain"));
  }

  @Override
  public List<Template> templates() {
    return List.of(
        new Template(
            "test://template/{id}/data", "template", "Data", "Data by id.", "application/json"));
  }

  @Override
  public Optional<Contents> read(String uri, Caller caller, CallContext callContext) {
    Matcher matcher = TEMPLATE.matcher(uri);
    if (matcher.matches()) {
      String id = matcher.group(1);
      return Optional.of(
          new Contents.Text(
              "application/json",
              "{\"id\":\"%s\",\"templateTest\":true,\"data\":\"Data for ID: %s\"}"
                  .formatted(id, id)));
    }
    return switch (uri) {
      case "test://static-text" ->
          Optional.of(
              new Contents.Text("text/plain", "This is the content of the static text resource."));
      case "test://static-binary" ->
          Optional.of(new Contents.Blob("image/png", ConformanceTool.PNG));
      case "test://watched-resource" -> Optional.of(new Contents.Text("text/plain", "Unchanged."));
      default -> Optional.empty();
    };
  }

  @Override
  public Optional<ResourceSubscription> watch(String uri, Caller caller, Runnable changed) {
    return uri.equals("test://watched-resource") ? Optional.of(() -> {}) : Optional.empty();
  }
}
