package joshua.network.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import joshua.kernel.Json;
import joshua.network.Caller;
import joshua.network.mcp.JsonRpc.Request;

/**
 * The {@code requestState} of MCP 2026-07-28: the answers that a client has given so far, which it
 * carries itself. They are signed together with the caller and the request, so that they are good
 * for these alone, and for a quarter of an hour; a restart voids them.
 */
final class RequestState {
  /** A person may have to answer. */
  private static final Duration GOOD_FOR = Duration.ofMinutes(15);

  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEY_BYTES = 32;

  private final SecretKeySpec key;
  private final InstantSource time;

  RequestState(InstantSource time) {
    byte[] random = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(random);
    this.key = new SecretKeySpec(random, ALGORITHM);
    this.time = time;
  }

  String write(ObjectNode answers, Request request, Caller caller) {
    ObjectNode state = Json.object().put("until", time.millis() + GOOD_FOR.toMillis());
    byte[] payload = Json.bytes(state.set("answers", answers));
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    return encoder.encodeToString(payload)
        + "."
        + encoder.encodeToString(sign(payload, request, caller));
  }

  /** The answers that a client had given before this request; none if it is the first. */
  ObjectNode read(Request request, Caller caller) {
    String given = request.params().path("requestState").asText();
    if (given.isEmpty()) {
      return Json.object();
    }
    String[] parts = given.split("\\.", -1);
    try {
      byte[] payload = Base64.getUrlDecoder().decode(parts[0]);
      byte[] signature = Base64.getUrlDecoder().decode(parts[parts.length - 1]);
      if (MessageDigest.isEqual(signature, sign(payload, request, caller))) {
        JsonNode state = Json.parseOwn(payload);
        if (state.path("until").asLong() >= time.millis()) {
          return (ObjectNode) state.path("answers");
        }
      }
    } catch (IllegalArgumentException e) {
      // It isn't ours, whatever else is wrong with it.
    }
    throw RpcError.invalidParams(
        "requestState must be one that was given for this request in the last %d minutes; leave"
                .formatted(GOOD_FOR.toMinutes())
            + " it out to begin anew.");
  }

  private byte[] sign(byte[] payload, Request request, Caller caller) {
    JsonNode params = request.params();
    String whose =
        String.join(
            "\n",
            caller.identity().orElse(""),
            request.method(),
            params.path("name").toString(),
            params.path("uri").toString(),
            params.path("arguments").toString(),
            "");
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(whose.getBytes(UTF_8));
      return mac.doFinal(payload);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
