package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The versions of MCP in its two eras: since 2026-07-28 requests are stateless; before, {@code
 * initialize} opened a session.
 */
public final class ProtocolVersions {
  static final String META_VERSION = "io.modelcontextprotocol/protocolVersion";
  private static final String META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

  /** The newest first; only this one is of the stateless era. */
  static final List<String> SUPPORTED =
      List.of("2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07");

  private static final String MODERN = SUPPORTED.getFirst();
  private static final List<String> LEGACY = SUPPORTED.subList(1, SUPPORTED.size());

  private ProtocolVersions() {}

  /** Whether a request, with that header if it came by HTTP, is of the stateless era. */
  public static boolean isModern(@Nullable String header, ObjectNode params) {
    return (header != null && !LEGACY.contains(header)) || !inMeta(params).isMissingNode();
  }

  /** Whether clients of a version resume broken streams, by GET. */
  public static boolean resumesStreams(@Nullable String header) {
    return LEGACY.getFirst().equals(header);
  }

  /** The version that a request of the stateless era names. */
  public static JsonNode inMeta(ObjectNode params) {
    return params.path("_meta").path(META_VERSION);
  }

  /** The client's capabilities in a request of the stateless era. */
  static JsonNode capabilities(ObjectNode params) {
    return params.path("_meta").path(META_CAPABILITIES);
  }

  /** The problem of the metadata of a request of the stateless era, if there is one. */
  public static Optional<RpcError> problem(ObjectNode params) {
    JsonNode version = inMeta(params);
    if (!version.isTextual()) {
      return Optional.of(RpcError.missingMeta(META_VERSION, "a string"));
    }
    if (!capabilities(params).isObject()) {
      return Optional.of(RpcError.missingMeta(META_CAPABILITIES, "an object"));
    }
    return version.textValue().equals(MODERN)
        ? Optional.empty()
        : Optional.of(RpcError.unsupportedVersion(version.textValue()));
  }

  /** The version that {@code initialize} agrees on. */
  static String negotiated(String requested) {
    return LEGACY.contains(requested) ? requested : LEGACY.getFirst();
  }
}
