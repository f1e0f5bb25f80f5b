package joshua.dewey.mail;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import joshua.kernel.Json;
import org.jspecify.annotations.Nullable;

/**
 * A message that is kept, and what its recipient did with it if it is mail.
 *
 * @param position its place in the order of the bus
 * @param body the envelope as it was published
 * @param state {@code waiting}, {@code given} by a relay or {@code collected} for mail, else null
 * @param response an object, with which it was acknowledged
 */
public record KeptMessage(
    long position,
    Instant heardAt,
    String messageId,
    String body,
    @Nullable String state,
    @Nullable Instant acknowledgedAt,
    @Nullable String response) {
  /** Reads these, from {@code message} and {@code mail}; a condition and an order follow. */
  public static final String SELECT =
      """
      select message.position, heard_at, message_id, body,
        iif(mail.position is null, null, iif(collected_at is not null, 'collected',
          iif(given_at is null, 'waiting', 'given'))),
        acknowledged_at, response
      from message left join mail using (message_id, position)
      """;

  /** Parses the envelope. */
  public JsonNode envelope() {
    return Json.parseTrusted(body.getBytes(StandardCharsets.UTF_8));
  }
}
