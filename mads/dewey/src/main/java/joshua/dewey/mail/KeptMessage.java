package joshua.dewey.mail;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message that is kept.
 *
 * @param position its place in the order of the bus
 * @param body the envelope as it was published
 * @param state {@code waiting} or {@code collected} for mail, else null
 */
public record KeptMessage(long position, Instant heardAt, String body, @Nullable String state) {}
