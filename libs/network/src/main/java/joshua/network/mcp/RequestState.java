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
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import joshua.kernel.Json;
import joshua.network.Caller;

/**
 * The {@code requestState} of requests that are repeated with answers: the answers of the rounds
 * before, signed, and valid for this caller, this request and {@link #GOOD_FOR} only. The key is
 * created at the start, so a restart voids all states.
 */
final class RequestState {
  /** How long a client may take to repeat the request: a person may have to answer. */
  static final Duration GOOD_FOR = Duration.ofMinutes(15);

  /** The most characters of a state. */
  static final int MAX_LENGTH = 256 * 1024;

  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEY_BYTES = 32;

  private final SecretKeySpec key;
  private final InstantSource time;

  RequestState(InstantSource time) {
    byte[] bytes = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(bytes);
    this.key = new SecretKeySpec(bytes, ALGORITHM);
    this.time = time;
  }

  String write(JsonRpc.Request request, Caller caller, Map<String, ObjectNode> answers) {
    ObjectNode state = Json.object();
    state.put("caller", caller.identity().orElse(""));
    state.put("until", time.instant().plus(GOOD_FOR).toEpochMilli());
    state.put("request", digest(request));
    ObjectNode kept = state.putObject("answers");
    answers.forEach(kept::set);
    String payload = encode(Json.bytes(state));
    return payload + "." + encode(sign(payload));
  }

  /** The answers of the rounds before; none if this is the first. */
  Map<String, ObjectNode> read(JsonRpc.Request request, Caller caller)
      throws RpcError.RpcFailureException {
    JsonNode given = request.params().path("requestState");
    if (given.isMissingNode()) {
      return Map.of();
    }
    JsonNode state = verified(given.asText());
    boolean good =
        state.path("caller").asText().equals(caller.identity().orElse(""))
            && state.path("until").asLong() >= time.millis()
            && state.path("request").asText().equals(digest(request));
    if (!good) {
      throw new RpcError.RpcFailureException(
          RpcError.invalidParams(
              "requestState is of another request or caller, or too old; start again without it."));
    }
    return ElicitationAnswers.read(state.path("answers"));
  }

  private JsonNode verified(String text) throws RpcError.RpcFailureException {
    int dot = text.indexOf('.');
    try {
      if (dot > 0 && text.length() <= MAX_LENGTH) {
        String payload = text.substring(0, dot);
        byte[] signature = Base64.getUrlDecoder().decode(text.substring(dot + 1));
        if (MessageDigest.isEqual(signature, sign(payload))) {
          return Json.parse(Base64.getUrlDecoder().decode(payload));
        }
      }
    } catch (IllegalArgumentException | Json.MalformedJsonException e) {
      // Falls through: a state that isn't ours is refused, whatever is wrong with it.
    }
    throw new RpcError.RpcFailureException(
        RpcError.invalidParams("requestState is not one that was given out here."));
  }

  /** A digest of method, name and arguments, which distinguishes requests of different meaning. */
  private static String digest(JsonRpc.Request request) {
    ObjectNode params = request.params();
    String text =
        request.method()
            + '\n'
            + params.path("name").asText()
            + '\n'
            + params.path("uri").asText()
            + '\n'
            + sorted(params.path("arguments"));
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static String sorted(JsonNode value) {
    if (value.isArray()) {
      StringBuilder text = new StringBuilder("[");
      value.forEach(element -> text.append(sorted(element)).append(','));
      return text.append(']').toString();
    }
    if (value.isObject()) {
      Map<String, String> members = new TreeMap<>();
      value.properties().forEach(one -> members.put(one.getKey(), sorted(one.getValue())));
      return members.toString();
    }
    return value.isMissingNode() ? "{}" : Json.write(value);
  }

  private byte[] sign(String payload) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(payload.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
