package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;

/** A change that clients may want to be notified of. */
sealed interface CatalogChange {
  /** The notification's method. */
  String method();

  /** The notification's params, as a new object. */
  ObjectNode params();

  /** A list has other entries than before. */
  enum Lists implements CatalogChange {
    TOOLS("tools", "toolsListChanged"),
    PROMPTS("prompts", "promptsListChanged"),
    RESOURCES("resources", "resourcesListChanged");

    private final String method;
    private final String filter;

    Lists(String name, String filter) {
      this.method = "notifications/" + name + "/list_changed";
      this.filter = filter;
    }

    /** The member of {@code subscriptions/listen}'s filter that asks for it. */
    String filter() {
      return filter;
    }

    @Override
    public String method() {
      return method;
    }

    @Override
    public ObjectNode params() {
      return Json.object();
    }
  }

  /** A resource reads differently than before. */
  record Resource(String uri) implements CatalogChange {
    @Override
    public String method() {
      return "notifications/resources/updated";
    }

    @Override
    public ObjectNode params() {
      return Json.object().put("uri", uri);
    }
  }

  /** A task has moved on. */
  record Task(String taskId) implements CatalogChange {
    @Override
    public String method() {
      return "notifications/tasks";
    }

    @Override
    public ObjectNode params() {
      return Json.object().put("taskId", taskId);
    }
  }
}
