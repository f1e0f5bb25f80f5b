package joshua.network;

import java.util.List;
import java.util.Optional;

/** What a service lets its clients read, and watch. */
public interface ResourceProvider {
  ResourceProvider NONE = (uri, caller) -> Optional.empty();

  /** A resource; or many, whose URI is a template as RFC 6570 has it. */
  record Resource(String uri, String name, String title, String description, String mimeType) {}

  /** What a resource holds: a text, in base64 if it is binary. */
  record Contents(String mimeType, String text, boolean binary) {}

  /** Those with fixed addresses. */
  default List<Resource> resources(Caller caller) {
    return List.of();
  }

  /** Those whose addresses have variables. */
  default List<Resource> templates() {
    return List.of();
  }

  /** Empty if there is no such resource for the caller. */
  Optional<Contents> read(String uri, Caller caller);

  /**
   * Watches a resource.
   *
   * @param changed run after each change, also under locks of the resource, so it must be short
   * @return ends it, without taking such a lock; empty if the caller has nothing to watch there
   */
  default Optional<Runnable> watch(String uri, Caller caller, Runnable changed) {
    return Optional.empty();
  }
}
