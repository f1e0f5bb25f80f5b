package joshua.grace.queue;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A client's position in its queue; to the client an opaque text.
 *
 * @param epoch of the relay that gave it
 * @param client a check of the client's name
 * @param queue the queue's number; a client that was evicted and came back has another queue
 * @param sequence the last message that has been returned, 0 at the beginning
 * @param breaks how many losses of unknown size have been reported to the client
 * @param since no later than the first message behind it
 * @param cut whether the next message has been returned cut
 * @param mail the id of the last message to the client itself that has been returned
 */
public record Cursor(
    String epoch,
    int client,
    long queue,
    long sequence,
    int breaks,
    Instant since,
    boolean cut,
    @Nullable String mail) {
  private static final Pattern FORM =
      Pattern.compile(
          "([0-9a-f]{1,16})\\.([0-9a-f]{1,8})\\.([0-9]{1,18})\\.([0-9]{1,18})\\.([0-9]{1,9})"
              + "\\.([0-9]{1,13})(\\.cut)?(?:\\.([0-9a-fA-F-]{36}))?");

  /** Reads a cursor of a client; empty if the text is none, or there is none. */
  public static Optional<Cursor> parse(String clientId, @Nullable String text) {
    Matcher parts = FORM.matcher(Objects.requireNonNullElse(text, ""));
    if (!parts.matches() || Integer.parseUnsignedInt(parts.group(2), 16) != clientId.hashCode()) {
      return Optional.empty();
    }
    return Optional.of(
        new Cursor(
            parts.group(1),
            clientId.hashCode(),
            Long.parseLong(parts.group(3)),
            Long.parseLong(parts.group(4)),
            Integer.parseInt(parts.group(5)),
            Instant.ofEpochMilli(Long.parseLong(parts.group(6))),
            parts.group(7) != null,
            parts.group(8)));
  }

  Cursor to(long sequence, int breaks, Instant since, boolean cut) {
    return new Cursor(epoch, client, queue, sequence, breaks, since, cut, mail);
  }

  Cursor having(@Nullable String lastMail) {
    return new Cursor(epoch, client, queue, sequence, breaks, since, cut, lastMail);
  }

  @Override
  public String toString() {
    String id = epoch + '.' + Integer.toHexString(client) + '.' + queue + '.' + sequence;
    String last = mail == null ? "" : '.' + mail;
    return id + '.' + breaks + '.' + since.toEpochMilli() + (cut ? ".cut" : "") + last;
  }
}
