package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import joshua.kernel.Json;
import joshua.network.UnmetRequirementException;

/**
 * What our own client declares about itself in each request of the stateless protocol.
 *
 * @param name the client's
 */
public record ClientMeta(String name, String version) {

  /**
   * {@code params._meta} of one request.
   *
   * @param answers the methods of the questions that may be put
   */
  public ObjectNode of(Set<String> answers) {
    ObjectNode meta = Json.object().put(RequestMeta.VERSION, ProtocolVersions.MODERN);
    meta.putObject(RequestMeta.PREFIX + "clientInfo").put("name", name).put("version", version);
    ObjectNode capabilities = meta.putObject(RequestMeta.CAPABILITIES);
    answers.forEach(method ->
        capabilities.setAll(
            UnmetRequirementException.MissingCapabilityException.toAnswer(method).required()));
    return meta;
  }

  /** The id of the request that a notification belongs to; missing in others. */
  public static JsonNode subscriptionId(ObjectNode params) {
    return params.path("_meta").path(RequestMeta.SUBSCRIPTION_ID);
  }

  /** The name by which a server introduces itself in a result; empty if it doesn't. */
  public static String serverName(ObjectNode result) {
    return result.path("_meta").path(RequestMeta.SERVER_INFO).path("name").asText();
  }
}
