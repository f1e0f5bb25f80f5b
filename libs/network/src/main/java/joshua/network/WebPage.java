package joshua.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/** A page for people at a service's {@code /}, whose scripts call the tools of several services. */
public interface WebPage {
  /** A file of the page by its name, such as {@code app.js}; empty where there is none. */
  Optional<byte[]> file(String name);

  /** The services that {@link #call} reaches, besides the one that has the page. */
  List<String> services();

  /**
   * Calls a tool of another service and waits for its answer.
   *
   * @param token the visitor's, which the other service is shown; empty where none is needed
   */
  ObjectNode call(String service, String tool, ObjectNode input, Optional<String> token)
      throws InterruptedException;
}
