package joshua.dewey.wake;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.dewey.thread.ThreadStatus;
import joshua.dewey.thread.ThreadStore;
import joshua.dewey.wake.WakeStore.Event;
import joshua.dewey.wake.WakeStore.Open;
import joshua.kernel.Json;
import joshua.state.Transaction;

/**
 * The end of wakes that lead nowhere: those of somebody are paused, until it posts or a person
 * helps, and its thread is blocked, once.
 */
final class WakeGuard {
  private static final int MAX_DEAD = 3;
  private static final int MAX_ROUNDS = 20;

  private WakeGuard() {}

  /** Takes a wake that is dead: three equal failures are enough, or three dead ones in a row. */
  static void died(Transaction tx, Open wake, String error, Instant now, List<Event> events) {
    String failed = "select detail from wake_attempt where wake_id = ? and outcome = 'failed'";
    long errors =
        tx.rows(String.class, failed, wake.wakeId()).stream()
            .map(detail -> detail.replaceAll("[0-9]+", "")) // times and ids
            .distinct()
            .count();
    long dead =
        tx.number(
            """
            select count(*) from (
              select state from wake where participant = ? order by wake_id desc limit ?)
            where state = 'DEAD'
            """,
            wake.participant(),
            MAX_DEAD);
    if (errors == 1) {
      pause(tx, wake, "three equal failures: " + error, now, events);
    } else if (dead == MAX_DEAD) {
      pause(tx, wake, "three dead wakes, the last: " + error, now, events);
    }
  }

  /** Ends a new wake if somebody was woken often for its thread, and said nothing there since. */
  static void begun(Transaction tx, Open wake, Instant now, List<Event> events) {
    long rounds =
        tx.number(
            """
            select count(*) from wake
            where participant = ?1 and thread_id = ?2 and state = 'DONE' and created_at > (
              select coalesce(max(at), 0) from (
                select max(posted_at) as at from post
                where thread_id = ?2 and (sender_id = ?1 or kind = 'system')
                union all select max(heard_at) from message
                where conversation_id = ?2 and sender_id = ?1))
            """,
            wake.participant(),
            wake.threadId());
    if (rounds >= MAX_ROUNDS) {
      tx.update("delete from wake where wake_id = ?", wake.wakeId());
      pause(tx, wake, MAX_ROUNDS + " wakes without a word of it", now, events);
    }
  }

  /** Ends the wakes of somebody, until it speaks or a person helps, and blocks its thread. */
  private static void pause(
      Transaction tx, Open wake, String reason, Instant now, List<Event> events) {
    String name = wake.participant();
    tx.update("update waker set paused_reason = ? where participant = ?", reason, name);
    String paused = "The wakes of %s are paused: %s.".formatted(name, reason);
    events.add(new Event("waker_paused", name, paused));
    Optional.ofNullable(wake.threadId())
        .flatMap(id -> ThreadStore.find(tx, id))
        .filter(thread -> thread.status() == ThreadStatus.ACTIVE)
        .ifPresent(thread -> {
          long seq = thread.lastSeq() + 1;
          ObjectNode body = Json.object().put("text", "This thread is blocked. " + paused);
          ThreadStore.Post post =
              new ThreadStore.Post(seq, UUID.randomUUID(), "dewey", "system", null, now, body);
          ThreadStore.add(tx, thread.threadId(), post, null, ThreadStatus.BLOCKED);
          events.add(new Event("thread_blocked", thread.threadId().toString(), paused));
        });
  }
}
