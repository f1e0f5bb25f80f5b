package joshua.dewey.thread;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.state.Migration;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/** The tables of threads, their members and posts; methods run in the caller's transaction. */
public final class ThreadStore {
  public static final List<Migration> MIGRATIONS =
      Migration.load(ThreadStore.class, "0001-thread.sql", "0002-agent.sql");

  private static final int BESIDE_BODY = 500;

  private ThreadStore() {}

  /** A thread as its members see it; {@code lastSeq} is the number of its posts. */
  public record Head(
      UUID threadId,
      String title,
      String type,
      ThreadStatus status,
      String createdBy,
      Instant createdAt,
      Instant updatedAt,
      long lastSeq) {}

  /** A member; {@code unread} counts the posts of others behind what it has acknowledged. */
  public record Member(String name, boolean coordinator, long readSeq, long unread) {}

  /** A post; {@code kind} is chat or event, or system for a change of the status. */
  public record Post(
      long seq,
      UUID messageId,
      String senderId,
      String kind,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long inReplyTo,
      Instant postedAt,
      ObjectNode body) {}

  /** Makes an active thread. */
  public static void create(Transaction tx, Head head, Collection<String> members) {
    tx.update(
        """
        insert into thread
        select ?, ?, ?, ?, ?, ?, ?, ?, 0, ran_minutes from archive
        """,
        head.threadId(),
        head.title(),
        head.type(),
        head.status(),
        head.createdBy(),
        head.createdAt(),
        head.updatedAt(),
        head.lastSeq());
    for (String member : members) {
      tx.update(
          "insert into member values (?, ?, ?, 0)",
          head.threadId(),
          member,
          member.equals(head.createdBy()));
    }
  }

  public static Optional<Head> find(Transaction tx, UUID thread) {
    return tx.row(
        Head.class,
        """
        select thread_id, title, type, status, created_by, created_at, updated_at, last_seq
        from thread where thread_id = ?
        """,
        thread);
  }

  /** The members of a thread, its coordinator first. */
  public static List<Member> members(Transaction tx, UUID thread) {
    return tx.rows(
        Member.class,
        """
        select participant, coordinator, read_seq,
          (select count(*) from post
            where thread_id = member.thread_id and seq > read_seq and sender_id <> participant)
        from member where thread_id = ? order by coordinator desc, participant
        """,
        thread);
  }

  /**
   * Adds a post with the next number, and a copy for each other member to the outbox. Its sender's
   * wakes go on if they are paused, those of all members if it unblocks the thread.
   */
  public static void add(
      Transaction tx, UUID thread, Post post, @Nullable String key, ThreadStatus status) {
    String body = post.body().toString();
    tx.update(
        """
        update thread set last_seq = last_seq + 1, status = ?, updated_at = ?, bytes = bytes + ?,
          ran_minutes = (select ran_minutes from archive)
        where thread_id = ?
        """,
        status,
        post.postedAt(),
        body.length() + BESIDE_BODY,
        thread);
    tx.update(
        """
        insert into post select thread_id, last_seq, ?, ?, ?, ?, ?, ?, ? from thread
        where thread_id = ?
        """,
        post.messageId(),
        post.senderId(),
        post.kind(),
        post.inReplyTo(),
        post.postedAt(),
        body,
        key,
        thread);
    tx.update(
        """
        insert into outbox (message_id, recipient)
        select ?, participant from member where thread_id = ? and participant <> ?
        """,
        post.messageId(),
        thread,
        post.senderId());
    tx.update(
        """
        update waker set paused_reason = null
        where participant = ?1 or (?2 = 'system' and ?3 = 'ACTIVE' and exists (
          select 1 from member where thread_id = ?4 and member.participant = waker.participant))
        """,
        post.senderId(),
        post.kind(),
        status,
        thread);
  }

  private static final String POST =
      """
      select seq, message_id, sender_id, kind, in_reply_to, posted_at, body
      from post where thread_id = ? and
      """;

  /** The post that a member made with an idempotency key; none was made with null. */
  public static Optional<Post> postWithKey(
      Transaction tx, UUID thread, String sender, @Nullable String key) {
    return tx.row(Post.class, POST + "sender_id = ? and idempotency_key = ?", thread, sender, key);
  }

  /** The posts behind a number, in order. */
  public static List<Post> posts(Transaction tx, UUID thread, long after, int limit) {
    return tx.rows(Post.class, POST + "seq > ? order by seq limit ?", thread, after, limit);
  }

  /** Marks a member's posts up to a number as read, and its copies of them as collected. */
  public static void acknowledge(
      Transaction tx, UUID thread, String member, long seq, Instant now) {
    tx.update(
        "update member set read_seq = ? where thread_id = ? and participant = ?",
        seq,
        thread,
        member);
    tx.update(
        """
        update mail set collected_at = ?1, collected_by = ?2
        where recipient = ?2 and collected_at is null and message_id in (
          select message_id from post where thread_id = ?3 and seq <= ?4)
        """,
        now,
        member,
        thread,
        seq);
  }

  /** A thread in a list; {@code unread} as of a {@link Member}. */
  public record Summary(
      UUID threadId,
      String title,
      String type,
      ThreadStatus status,
      String members,
      Instant updatedAt,
      long lastSeq,
      long unread) {}

  /** The threads of a participant, or all, that were updated last. */
  public static List<Summary> list(
      Transaction tx, @Nullable String participant, @Nullable ThreadStatus status, int limit) {
    return tx.rows(
        Summary.class,
        """
        select thread_id, title, type, status,
          (select group_concat(participant, ' ') from member where thread_id = t.thread_id),
          updated_at, last_seq,
          (select count(*) from post join member using (thread_id)
            where thread_id = t.thread_id and participant = ?1 and seq > read_seq
              and sender_id <> participant)
        from thread t
        where (?2 is null or status = ?2) and (?1 is null or exists (
          select 1 from member where thread_id = t.thread_id and participant = ?1))
        order by updated_at desc limit ?3
        """,
        participant,
        status,
        limit);
  }

  /** Deletes some threads that are too old, or the oldest if all are too large. */
  public static int deleteOld(Transaction tx, int days, long bytes) {
    return tx.update(
        """
        delete from thread where thread_id in (
          select thread_id from (
            select thread_id, ran_minutes,
              sum(bytes) over (order by ran_minutes desc, thread_id) as with_later
            from thread)
          where with_later > ?1
            or ran_minutes < (select ran_minutes from archive) - ?2
          order by ran_minutes limit 100)
        """,
        bytes,
        days * 24L * 60);
  }
}
