package joshua.dewey.archive;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import joshua.conversation.envelope.Envelope;
import joshua.dewey.mail.KeptMessage;
import joshua.state.Migration;
import joshua.state.Transaction;
import joshua.state.WatchedTime;
import org.jspecify.annotations.Nullable;

/** The table of messages; methods run in the caller's transaction. */
public final class ArchiveStore {
  public static final List<Migration> MIGRATIONS =
      Stream.of(WatchedTime.MIGRATIONS, Migration.load(ArchiveStore.class, "0001-archive.sql"))
          .flatMap(List::stream)
          .toList();

  private ArchiveStore() {}

  /** The position of the newest message, which may have been deleted since; 0 before the first. */
  static long lastPosition(Transaction tx) {
    return tx.number("select last_position from archive");
  }

  static int setLastPosition(Transaction tx, long position) {
    return tx.update("update archive set last_position = ?", position);
  }

  static void add(Transaction tx, long position, Instant heard, Envelope envelope, String body) {
    tx.update(
        "insert into message values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        position,
        heard,
        envelope.channel().kind(),
        envelope.senderId(),
        envelope.channel().name(),
        envelope.messageId(),
        envelope.conversationId(),
        envelope.correlationId(),
        body);
  }

  /** Adds a span in which more came than could be kept, or extends one that has just ended. */
  static void addSkipped(Transaction tx, String reason, ArchiveTap.Skipped span) {
    Instant until = span.until().plusMillis(1);
    int extended =
        tx.update(
            """
            update not_seen set until_at = ?1, messages = messages + ?2
            where reason = ?3 and until_at > ?4
            """,
            until,
            span.messages(),
            reason,
            span.since().minusSeconds(2));
    if (extended == 0) {
      tx.update(
          "insert into not_seen (since_at, until_at, messages, reason) values (?, ?, ?, ?)",
          span.since(),
          until,
          span.messages(),
          reason);
    }
  }

  private static final String WHICH =
      """
      select position from message
      where %%s and position >= ?2 and position < ?3 and %s
      order by position desc limit ?4
      """
          .formatted(Visibility.SQL.formatted("?5", "?6"));

  /** Reads messages by their positions. */
  static final String FOUND =
      KeptMessage.SELECT + "where message.position in (%s) order by message.position desc";

  /** What messages are found by. */
  public enum MessageKey {
    ID(WHICH.formatted("message_id = ?1")),
    CHANNEL(WHICH.formatted("channel = ?1")),
    PARTICIPANT(
        "select * from (%s) union select * from (%s)"
            .formatted(
                WHICH.formatted("sender_id = ?1"),
                WHICH.formatted("channel = 'mad.direct.' || ?1"))),
    CONVERSATION(WHICH.formatted("conversation_id = ?1")),
    CORRELATION(WHICH.formatted("correlation_id = ?1"));

    private final String sql;

    MessageKey(String which) {
      this.sql = FOUND.formatted(which);
    }
  }

  /** Positions from one on and before another, and how many, the last ones. */
  public record Bounds(long from, long before, int limit) {
    /** The bounds of a time and a position, if there are any. */
    public static Bounds of(
        Transaction tx,
        @Nullable Instant since,
        @Nullable Instant until,
        @Nullable Long before,
        int limit) {
      return new Bounds(
          since == null ? 0 : positionAt(tx, since),
          Math.min(
              until == null ? Long.MAX_VALUE : positionAt(tx, until),
              before == null ? Long.MAX_VALUE : before),
          limit);
    }
  }

  /** The newest messages with a key that a reader may read, newest first. */
  public static List<KeptMessage> find(
      Transaction tx, MessageKey key, String value, Bounds bounds, Visibility reader) {
    return tx.rows(
        KeptMessage.class,
        key.sql,
        value,
        bounds.from(),
        bounds.before(),
        bounds.limit(),
        reader.readsAll(),
        reader.name());
  }

  /** The message with an id, the first if it was published again, if a reader may read it. */
  public static Optional<KeptMessage> withId(Transaction tx, UUID id, Visibility reader) {
    Bounds any = new Bounds(0, Long.MAX_VALUE, 500);
    return find(tx, MessageKey.ID, id.toString(), any, reader).reversed().stream().findFirst();
  }

  /** The position of the first message that was heard at a time or later. */
  static long positionAt(Transaction tx, Instant time) {
    long from = tx.number("select coalesce(min(position), 1) from message");
    long until = lastPosition(tx) + 1;
    while (from < until) { // an index of times would cost each message, and order is time's
      long middle = (from + until) / 2;
      boolean later =
          tx.row(
                  Instant.class,
                  "select heard_at from message where position >= ? order by position limit 1",
                  middle)
              .filter(heard -> heard.isBefore(time))
              .isEmpty();
      if (later) {
        until = middle;
      } else {
        from = middle + 1;
      }
    }
    return from;
  }
}
