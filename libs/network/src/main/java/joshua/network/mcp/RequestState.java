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
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import joshua.kernel.Json;
import joshua.network.Caller;
import joshua.network.mcp.JsonRpc.Request;

/**
 * The {@code requestState} of MCP 2026-07-28: the answers of a client so far, which it carries
 * itself. A signature binds them to the caller, the request and {@link #VALIDITY}; a restart
 * invalidates them.
 */
final class RequestState {
  /** Long, since a person may have to answer. */
  private static final Duration VALIDITY = Duration.ofMinutes(15);

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
    ObjectNode state = Json.object().put("until", time.millis() + VALIDITY.toMillis());
    String text = Base64.getUrlEncoder().encodeToString(Json.bytes(state.set("answers", answers)));
    return text + "." + signature(text, request, caller);
  }

  /** The client's answers in this request and in its state. */
  ObjectNode answers(Request request, Caller caller) {
    String given = request.params().path("requestState").asText();
    ObjectNode answers = given.isEmpty() ? Json.object() : read(given, request, caller);
    JsonNode more = request.params().path("inputResponses");
    if (!more.isMissingNode() && !more.isObject()) {
      throw RpcError.invalidParams("params.inputResponses must be an object.");
    }
    more.properties().forEach(answer -> answers.set(answer.getKey(), answer.getValue()));
    return answers;
  }

  private ObjectNode read(String given, Request request, Caller caller) {
    String text = given.split("\\.", 2)[0];
    String ours = text + "." + signature(text, request, caller);
    if (MessageDigest.isEqual(given.getBytes(UTF_8), ours.getBytes(UTF_8))) {
      JsonNode state = Json.parseTrusted(Base64.getUrlDecoder().decode(text));
      if (state.path("until").asLong() >= time.millis()) {
        return (ObjectNode) state.path("answers");
      }
    }
    throw RpcError.invalidParams(
        "requestState must be one that was given for this request in the last %d minutes; leave"
                .formatted(VALIDITY.toMinutes())
            + " it out to begin anew.");
  }

  private String signature(String text, Request request, Caller caller) {
    JsonNode params = request.params();
    String signed =
        String.join(
            "\n",
            text,
            caller.identity().orElse(""),
            request.method(),
            params.path("name").toString(),
            params.path("uri").toString(),
            params.path("arguments").toString());
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return HexFormat.of().formatHex(mac.doFinal(signed.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
