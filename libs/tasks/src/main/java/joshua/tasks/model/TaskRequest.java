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
 * A task that somebody asks for.
 *
 * @param input what is asked for besides the prompt; {} where nothing is
 * @param conversationId the requester's; one is made where there is none
 * @param idempotencyKey by which the requester may ask again without a second task
 * @param isShort whether it takes a moment only, so that it needn't wait for others
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

  /** The same for two requests that ask for the same. */
  public String digest() {
    return digest(prompt, text());
  }

  /** What all requests for the same have in common, if this one has no key. */
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
