package joshua.tasks.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.UUID;
import joshua.kernel.Json;
import org.jspecify.annotations.Nullable;

/**
 * A request for a task.
 *
 * @param input beside the prompt; {} where there is none
 * @param conversationId the requester's; null for a new one
 * @param idempotencyKey under which repeated requests are the same task
 * @param isShort whether it takes only a moment, so that it needn't wait for others
 */
public record TaskRequest(
    String requesterId,
    Task.Kind kind,
    String prompt,
    ObjectNode input,
    @Nullable UUID conversationId,
    UUID correlationId,
    @Nullable String idempotencyKey,
    boolean isShort) {

  public TaskRequest {
    prompt = prompt.replace('\0', '\uFFFD');
  }

  /** A digest that is equal for equal requests. */
  public String digest() {
    return digest(prompt, text());
  }

  /** The key that equal requests share; null if this one has an idempotency key. */
  public @Nullable String sameKey() {
    return idempotencyKey == null
        ? digest(requesterId, String.valueOf(conversationId), prompt, text())
        : null;
  }

  /** The input as JSON. */
  public String text() {
    return new String(Json.bytes(input), StandardCharsets.UTF_8);
  }

  private static String digest(String... parts) {
    try {
      byte[] all = (String.join("\0", parts) + '\0').getBytes(StandardCharsets.UTF_8);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(all);
      return Base64.getEncoder().withoutPadding().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
