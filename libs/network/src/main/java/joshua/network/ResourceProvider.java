package joshua.network;

import java.util.List;
import java.util.Optional;

/** The resources that the clients of a service can read and watch. */
public interface ResourceProvider {
  ResourceProvider NONE = (uri, caller) -> Optional.empty();

  /** A resource, or several, whose URI is a template (RFC 6570). */
  record Resource(String uri, String name, String title, String description, String mimeType) {}

  /** The contents of a resource: a text, in base64 if binary. */
  record Contents(String mimeType, String text, boolean binary) {}

  /** The resources with fixed URIs. */
  default List<Resource> resources(Caller caller) {
    return List.of();
  }

  /** The resources whose URIs have variables. */
  default List<Resource> templates() {
    return List.of();
  }

  /** The contents; empty if there is no such resource for the caller. */
  Optional<Contents> read(String uri, Caller caller);

  /**
   * Watches a resource.
   *
   * @param changed runs after each change, perhaps under the resource's lock, so it must be short
   * @return ends the watch, without that lock; empty if there is no such resource for the caller
   */
  default Optional<Runnable> watch(String uri, Caller caller, Runnable changed) {
    return Optional.empty();
  }
}
