package joshua.network.mcp;

import java.util.List;
import java.util.Optional;
import joshua.network.CallContext;
import joshua.network.Caller;

/**
 * A source of MCP resources, by URI. Methods may block for a short time, but {@link #watch}'s
 * callback, which is the engine's, never does.
 */
public interface ResourceProvider {

  /** A thing that can be read. */
  record Resource(String uri, String name, String title, String description, String mimeType) {}

  /** A family of resources, by URI template (RFC 6570). */
  record Template(
      String uriTemplate, String name, String title, String description, String mimeType) {}

  /** The contents of a resource. */
  sealed interface Contents {
    String mimeType();

    /** Text. */
    record Text(String mimeType, String text) implements Contents {}

    /** Bytes, in Base64. */
    record Blob(String mimeType, String base64) implements Contents {}
  }

  /** The resources that this caller may read and that can't be derived from a template. */
  List<Resource> list(Caller caller);

  List<Template> templates();

  /** The contents; empty if there is no such resource for this caller. */
  Optional<Contents> read(String uri, Caller caller, CallContext callContext)
      throws InterruptedException;

  /**
   * Runs {@code changed} each time the resource's contents change, until the subscription is
   * closed. It may run on any thread; changes in quick succession may be announced as one. A queue
   * that isn't empty counts as changed at once: otherwise a change between a client's last read and
   * its watch would never be announced.
   *
   * @return empty if there is no such resource for this caller, or it can't be watched
   */
  Optional<ResourceSubscription> watch(String uri, Caller caller, Runnable changed);
}
