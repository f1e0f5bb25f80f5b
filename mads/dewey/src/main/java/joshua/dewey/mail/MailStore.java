package joshua.dewey.mail;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.conversation.envelope.Envelope;
import joshua.dewey.thread.PostOutbox;
import joshua.state.Migration;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/** The tables of direct messages by recipient; methods run in the caller's transaction. */
public final class MailStore {
  public static final List<Migration> MIGRATIONS = Migration.load(MailStore.class, "0001-mail.sql");

  private static final Duration HEARD_LATER = Duration.ofMillis(250); // here than by a relay

  private MailStore() {}

  /** Opens a mailbox for somebody who has joined, unless there is one. */
  public static void joined(Transaction tx, String name, Instant at) {
    tx.update("insert or ignore into mailbox values (?, ?)", name, at);
  }

  /** When somebody joined for the first time, if it ever did. */
  public static Optional<Instant> firstJoin(Transaction tx, String name) {
    return tx.row(Instant.class, "select joined_at from mailbox where recipient = ?", name);
  }

  /**
   * Adds a message to a recipient's mail. An answer is mail only for those who have joined once,
   * but for posts; else each program that asked something and left would have a mailbox full of
   * notices.
   *
   * @param heardAt the time at which the recipient heard it by itself; null if it didn't
   */
  public static void add(
      Transaction tx,
      String recipient,
      long position,
      Envelope envelope,
      @Nullable Instant heardAt) {
    tx.update(
        """
        insert into mail
        select ?1, ?2, ?3, ?4, null, null, ?5, iif(?5 is null, null, 'bus'), null, null
        where ?6 = 0 or exists (select 1 from mailbox where recipient = ?1)
        """,
        recipient,
        position,
        envelope.messageId(),
        envelope.senderId(),
        heardAt,
        envelope.isAnswer() && !envelope.payload().has(PostOutbox.THREAD));
  }

  private static final String PAGE =
      KeptMessage.SELECT
          + """
          where recipient = ? and (? = 0 or collected_at is null) and mail.position > ?
          order by mail.position limit ?
          """;

  /** The mail of a recipient behind a position, oldest first. */
  public static List<KeptMessage> page(
      Transaction tx, String recipient, boolean unreadOnly, long after, int limit) {
    return tx.rows(KeptMessage.class, PAGE, recipient, unreadOnly, after, limit);
  }

  /** The position of a message in a recipient's mail, if it is there. */
  public static Optional<Long> position(Transaction tx, String recipient, UUID messageId) {
    return tx.row(
        Long.class,
        "select position from mail where recipient = ? and message_id = ?",
        recipient,
        messageId);
  }

  /** The number of a recipient's messages, or of the uncollected ones, behind a position. */
  public static long count(
      Transaction tx, String recipient, boolean unreadOnly, long after, long through) {
    return tx.number(
        """
        select count(*) from mail
        where recipient = ? and (? = 0 or collected_at is null) and position > ? and position <= ?
        """,
        recipient,
        unreadOnly,
        after,
        through);
  }

  /** The number of all uncollected messages. */
  public static long allWaiting(Transaction tx) {
    return tx.number("select count(*) from mail where collected_at is null");
  }

  private static final String MARK =
      """
      update mail set %1$s_at = ?1, %1$s_by = ?2
      where recipient = ?3 and %1$s_at is null and %2$s
      """;

  private static final String WITH_IDS = "message_id in (select value from json_each(?4))";
  private static final String GIVE =
      """
      update mail set given_at = ?1, given_by = ?2
      where recipient = ?3 and collected_at is null and %s
      """
          .formatted(WITH_IDS);
  private static final String COLLECT = MARK.formatted("collected", WITH_IDS);
  private static final String COLLECT_AT =
      MARK.formatted("collected", "position in (select value from json_each(?4))");
  private static final String HAD =
      "position <= (select position from mail where recipient = ?3 and message_id = ?4)";
  private static final String COLLECT_GIVEN =
      MARK.formatted("collected", "(given_at is not null or message_id = ?4) and " + HAD);
  private static final String GIVE_UNTIL =
      MARK.formatted(
          "given",
          """
          collected_at is null
            and ?4 > (select heard_at from message where message.position = mail.position)
          """);
  private static final String GIVE_REST =
      MARK.formatted("given", "collected_at is null and " + HAD);

  /** Marks messages as given to their recipient, perhaps again; {@code ids} is an array. */
  public static void give(Transaction tx, String recipient, JsonNode ids, Instant at, String by) {
    tx.update(GIVE, at, by, recipient, ids.toString());
  }

  /** Marks messages as collected, unless they are; returns how many. */
  public static int collect(Transaction tx, String recipient, JsonNode ids, Instant at, String by) {
    return tx.update(COLLECT, at, by, recipient, ids.toString());
  }

  /** The same, by the recipient itself. */
  public static int collect(Transaction tx, String recipient, List<Long> positions, Instant at) {
    return tx.update(COLLECT_AT, at, recipient, recipient, positions.toString());
  }

  /**
   * Marks what a recipient was given, up to the last message that it had, as collected. Of what was
   * before that a receipt may have been lost, so it counts as given then; as what was heard before
   * does, if that message was lost itself.
   *
   * @param then when the recipient had it; null if that isn't known
   */
  public static void collectGiven(
      Transaction tx, String recipient, UUID last, @Nullable Instant then, Instant at, String by) {
    if (position(tx, recipient, last).isPresent()) {
      tx.update(COLLECT_GIVEN, at, by, recipient, last);
      tx.update(GIVE_REST, then == null ? at : then, by, recipient, last);
    } else if (then != null) {
      tx.update(GIVE_UNTIL, then, by, recipient, then.plus(HEARD_LATER));
    }
  }

  /** Marks messages as waiting again, and returns how many. */
  public static int restore(Transaction tx, String recipient, List<Long> positions) {
    return tx.update(
        """
        update mail set collected_at = null, collected_by = null
        where recipient = ? and position in (select value from json_each(?))
        """,
        recipient,
        positions.toString());
  }

  /** The acknowledgement of a message, and whether it is new. */
  public record Acknowledgement(
      String senderId, Instant at, @Nullable String response, boolean isNew) {}

  /** Acknowledges and so collects a message, unless it is acknowledged; empty if it isn't there. */
  public static Optional<Acknowledgement> acknowledge(
      Transaction tx, String recipient, UUID id, Instant at, @Nullable String response) {
    int changed =
        tx.update(
            """
            update mail set acknowledged_at = ?1, response = ?2,
              collected_by = iif(collected_at is null, recipient, collected_by),
              collected_at = coalesce(collected_at, ?1)
            where recipient = ?3 and message_id = ?4 and acknowledged_at is null
            """,
            at,
            response,
            recipient,
            id);
    return tx.row(
        Acknowledgement.class,
        """
        select sender_id, acknowledged_at, response, ? from mail
        where recipient = ? and message_id = ?
        """,
        changed > 0,
        recipient,
        id);
  }

  /** Takes back what acknowledges a message, which stays collected. */
  public static int withdraw(Transaction tx, String recipient, UUID id) {
    return tx.update(
        """
        update mail set acknowledged_at = null, response = null
        where recipient = ? and message_id = ?
        """,
        recipient,
        id);
  }
}
