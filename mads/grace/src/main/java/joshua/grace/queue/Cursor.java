package joshua.grace.queue;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A position as clients see it: an opaque string that is bound to this run of the relay and to one
 * client.
 *
 * @param epoch of the relay that gave it
 * @param client a check of the client's name
 */
public record Cursor(String epoch, int client, QueuePosition position) {
  private static final Pattern FORM =
      Pattern.compile(
          "([0-9a-f]{1,16})\\.([0-9a-f]{1,8})\\.([0-9]{1,18})\\.([0-9]{1,18})\\.([0-9]{1,9})"
              + "\\.([0-9]{1,15})");

  static Cursor of(String epoch, String clientId, QueuePosition position) {
    return new Cursor(epoch, clientId.hashCode(), position);
  }

  /** Whether a text is a cursor that a client may use. */
  public static boolean isValid(String clientId, String text) {
    return parse(text).filter(cursor -> cursor.client == clientId.hashCode()).isPresent();
  }

  /** Reads a cursor; empty if the text is none. */
  static Optional<Cursor> parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    QueuePosition position =
        new QueuePosition(
            Long.parseLong(parts.group(3)),
            Long.parseLong(parts.group(4)),
            Integer.parseInt(parts.group(5)),
            Instant.ofEpochMilli(Long.parseLong(parts.group(6))));
    return Optional.of(
        new Cursor(parts.group(1), Integer.parseUnsignedInt(parts.group(2), 16), position));
  }

  @Override
  public String toString() {
    return "%s.%s.%d.%d.%d.%d"
        .formatted(
            epoch,
            Integer.toHexString(client),
            position.queue(),
            position.sequence(),
            position.breaks(),
            position.since().toEpochMilli());
  }
}
