package joshua.tasks.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;

/**
 * A request for a task.
 *
 * @param work which {@link TaskWork} is to do it
 * @param input the work's input besides the prompt
 * @param requesterId the task's owner, which is notified
 * @param conversationId absent: a new conversation
 * @param idempotencyKey the same key of the same requester is the same task
 */
public record TaskRequest(
    String work,
    String prompt,
    ObjectNode input,
    String requesterId,
    Optional<UUID> conversationId,
    UUID correlationId,
    Optional<String> idempotencyKey) {

  /** The maximum length of an idempotency key. */
  public static final int MAX_KEY = 128;

  public TaskRequest {
    if (!BusIdentifiers.isIdentifier(requesterId)) {
      throw new IllegalArgumentException("requester_id " + BusIdentifiers.IDENTIFIER_RULE);
    }
    if (idempotencyKey.filter(key -> key.isEmpty() || key.length() > MAX_KEY).isPresent()) {
      throw new IllegalArgumentException("an idempotency key has 1-" + MAX_KEY + " characters");
    }
  }

  /** The request's size: the prompt in UTF-8, and the input as JSON where there is one. */
  public long bytes() {
    long prompted = prompt.getBytes(StandardCharsets.UTF_8).length;
    return input.isEmpty() ? prompted : prompted + Json.bytes(input).length;
  }

  /** A digest that detects different input under the same idempotency key. */
  public String digest() {
    ObjectNode whole = Json.object().put("kind", work).put("prompt", prompt);
    whole.set("input", input);
    whole.put("conversation_id", conversationId.map(UUID::toString).orElse(null));
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256")
                  .digest(Json.write(whole).getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
