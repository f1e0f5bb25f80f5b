package joshua.grace.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The record of queues that have ended, from which a client with an old cursor, of this run of the
 * relay or an earlier one, is told of its loss. Guarded by the lock of {@link ClientQueues}.
 */
public final class Cursors {
  private static final int MAX_ENDED = 100_000;
  private static final Duration START_TOLD_FOR = Duration.ofHours(24);

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
   */
  public record Cursor(
      String epoch, int client, long queue, long sequence, int breaks, Instant since, boolean cut) {
    private static final Pattern FORM =
        Pattern.compile(
            "([0-9a-f]{1,16})\\.([0-9a-f]{1,8})\\.([0-9]{1,18})\\.([0-9]{1,18})\\.([0-9]{1,9})"
                + "\\.([0-9]{1,13})(\\.cut)?");

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
              parts.group(7) != null));
    }

    Cursor to(long sequence, int breaks, Instant since, boolean cut) {
      return new Cursor(epoch, client, queue, sequence, breaks, since, cut);
    }

    @Override
    public String toString() {
      String id = epoch + '.' + Integer.toHexString(client) + '.' + queue + '.' + sequence;
      return id + '.' + breaks + '.' + since.toEpochMilli() + (cut ? ".cut" : "");
    }
  }

  record Ended(long number, boolean evicted, Instant since) {}

  final String epoch;
  final Map<String, Ended> ended =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Ended> eldest) {
          return size() > MAX_ENDED;
        }
      };

  private final Instant started;

  /** The cursors of one run of the relay, which its epoch identifies. */
  Cursors(String epoch, Instant started) {
    this.epoch = epoch;
    this.started = started;
  }

  /** A queue is going to end; evicted if its client didn't give it up itself. */
  void end(ClientQueue queue, boolean evicted) {
    ended.put(queue.clientId, new Ended(queue.number, evicted, queue.lossSince()));
  }

  /** Why a client's earlier queue isn't there any more, unless it gave that up itself. */
  Optional<Loss> loss(String clientId, Optional<Cursor> known) {
    if (known.isPresent() && !known.get().epoch().equals(epoch)) {
      return Optional.of(new Loss(null, Loss.Reason.RESTART, known.get().since()));
    }
    Ended last = ended.get(clientId);
    if (last != null && (known.isEmpty() || known.get().queue() == last.number())) {
      return last.evicted()
          ? Optional.of(new Loss(null, Loss.Reason.EVICTED, last.since()))
          : Optional.empty();
    }
    return known.map(old -> new Loss(null, Loss.Reason.EVICTED, old.since()));
  }

  /** What a client without a cursor may have lost by the start, if it hasn't had a queue since. */
  Optional<Loss> beforeStart(String clientId, Instant now) {
    return ended.containsKey(clientId) || now.isAfter(started.plus(START_TOLD_FOR))
        ? Optional.empty()
        : Optional.of(new Loss(null, Loss.Reason.RESTART, started));
  }
}
