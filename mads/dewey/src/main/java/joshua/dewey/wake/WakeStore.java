package joshua.dewey.wake;

import static java.util.Objects.requireNonNullElse;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.network.SchemaHint;
import joshua.state.Migration;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The tables of wakes, one outstanding a participant; methods run in the caller's transaction.
 *
 * <pre>
 * state    event                                        next     counts as a try
 * -        mail comes that the participant wasn't given  DUE
 * DUE      it is given before the first try               (none)
 * DUE      a runner claims it                            RUNNING  yes
 * RUNNING  the runner says that it runs                  RUNNING
 * RUNNING  all mail up to the wake's is collected        DONE
 * RUNNING  busy for less than a minute, or a session     DUE      no
 *          of that name is there
 * RUNNING  it failed, the lease is over, or it ended     DUE, after the third try DEAD
 *          and a minute later mail isn't collected
 * DEAD     wake-again                                    DUE
 * </pre>
 */
public final class WakeStore {
  public static final List<Migration> MIGRATIONS = Migration.load(WakeStore.class, "0001-wake.sql");

  static final Duration LEASE = Duration.ofSeconds(60);
  private static final Duration AGAIN = Duration.ofSeconds(5);
  private static final Duration KEPT = Duration.ofDays(30);
  private static final int MAX_TRIES = 3;
  private static final int MAX_A_MINUTE = 10;

  private WakeStore() {}

  /** Which messages wake. */
  public enum Attention {
    ALL,
    DIRECT,
    NONE
  }

  /** What a runner says of an attempt; {@code BUSY}: not now; {@code THERE}: no need. */
  public enum Outcome {
    RUNNING,
    ENDED,
    BUSY,
    THERE,
    STOPPED,
    FAILED
  }

  /** A wake that a runner has claimed. */
  public record Claim(long wakeId, int attempt, int tries) {}

  /** What everybody is told of. */
  public record Event(String event, String subject, String detail) {}

  /** What a runner says of an attempt. */
  public record Report(
      long wakeId,
      int attempt,
      Outcome outcome,
      @SchemaHint(value = "Why it failed", max = 500) @Nullable String detail) {}

  /** A wake that hasn't ended. */
  record Open(
      long wakeId,
      String participant,
      @Nullable UUID threadId,
      long upTo,
      int attempt,
      int tries,
      @Nullable Instant busySince) {}

  private static final String OPEN =
      "select wake_id, participant, thread_id, up_to, attempt, tries, busy_since from wake where ";

  /** Registers a participant's runner, or notes that it is there; nulls change nothing. */
  public static void register(
      Transaction tx,
      String participant,
      @Nullable Attention attention,
      @Nullable Instant quietUntil,
      Instant now) {
    tx.update(
        """
        insert into waker values (?1, coalesce(?2, 'ALL'), ?3, ?4, null)
        on conflict do update set runner_at = ?4, attention = coalesce(?2, attention),
          quiet_until = coalesce(?3, quiet_until)
        """,
        participant,
        attention,
        quietUntil,
        now);
  }

  /** Forgets a participant's runner; what is due isn't any more. */
  public static void unregister(Transaction tx, String participant) {
    tx.update("delete from waker where participant = ?", participant);
    tx.update("delete from wake where participant = ? and state = 'DUE'", participant);
  }

  private static final String DUE =
      """
      select wake_id from wake join waker using (participant)
      where participant = ?1 and state = 'DUE' and due_at <= ?2 and paused_reason is null
        and coalesce(quiet_until, 0) <= ?2
        and exists (select 1 from mail where recipient = ?1 and collected_at is null)
        and ?3 > (select count(*) from wake_attempt where participant = ?1 and at > ?2 - 60000)
      """;

  private static final String CLAIM =
      """
      update wake set state = 'RUNNING', attempt = attempt + 1, tries = tries + 1,
        lease_until = ?4, up_to = (
          select max(position) from mail where recipient = ?1 and collected_at is null)
      where wake_id = (%s)
      returning wake_id, attempt, tries
      """
          .formatted(DUE);

  /** Whether an attempt may begin now. */
  public static boolean isDue(Transaction tx, String participant, Instant now) {
    return tx.row(Long.class, DUE, participant, now, MAX_A_MINUTE).isPresent();
  }

  /** Begins an attempt if it is due. */
  public static Optional<Claim> claim(Transaction tx, String participant, Instant now) {
    Optional<Claim> claim =
        tx.row(Claim.class, CLAIM, participant, now, MAX_A_MINUTE, now.plus(LEASE));
    claim.ifPresent(it ->
        tx.update(
            "insert into wake_attempt values (?, ?, ?, ?, 'running', null)",
            it.wakeId(),
            it.attempt(),
            participant,
            now));
    return claim;
  }

  /**
   * Takes a runner's report of an attempt, and adds what is to be told.
   *
   * @return false if another attempt has begun since, or the wake is dead
   */
  public static boolean report(
      Transaction tx, String participant, Report report, Instant now, List<Event> events) {
    long id = report.wakeId();
    int attempt = report.attempt();
    tx.update(
        """
        update wake_attempt set outcome = lower(?), detail = ?
        where wake_id = ? and attempt = ? and participant = ?
        """,
        report.outcome(),
        report.detail(),
        id,
        attempt,
        participant);
    Optional<Open> running =
        tx.row(
            Open.class,
            OPEN + "wake_id = ? and participant = ? and attempt = ? and state = 'RUNNING'",
            id,
            participant,
            attempt);
    if (running.isEmpty()) {
      String done =
          """
          select count(*) from wake
          where wake_id = ? and attempt = ? and participant = ? and state = 'DONE'
          """;
      return tx.number(done, id, attempt, participant) > 0;
    }
    Open wake = running.get();
    switch (report.outcome()) {
      case RUNNING -> lease(tx, wake, now);
      case ENDED -> {
        collectGiven(tx, wake, now);
        lease(tx, wake, now);
      }
      case THERE -> {
        tx.update("delete from wake_attempt where wake_id = ? and attempt = ?", id, attempt);
        later(tx, wake, null, wake.tries() == 1 ? "a session of it is there" : null, now);
      }
      case STOPPED -> later(tx, wake, null, "its runner was stopped", now);
      case BUSY -> {
        Instant since = wake.busySince() == null ? now : wake.busySince();
        if (since.plus(LEASE).isAfter(now)) {
          later(tx, wake, since, "busy", now);
        } else {
          fail(tx, wake, "busy for a minute", now, events);
        }
      }
      case FAILED -> fail(tx, wake, requireNonNullElse(report.detail(), "failed"), now, events);
    }
    return true;
  }

  private static void lease(Transaction tx, Open wake, Instant now) {
    tx.update(
        "update wake set lease_until = ?, busy_since = null where wake_id = ?",
        now.plus(LEASE),
        wake.wakeId());
  }

  /** A turn that ended well had what answers gave meanwhile. */
  private static void collectGiven(Transaction tx, Open wake, Instant now) {
    tx.update(
        """
        update mail set collected_at = ?, collected_by = ?
        where recipient = ? and collected_at is null and position <= ? and given_at >= (
          select at from wake_attempt where wake_id = ? and attempt = ?)
        """,
        now,
        "wake " + wake.wakeId(),
        wake.participant(),
        wake.upTo(),
        wake.wakeId(),
        wake.attempt());
  }

  /** Makes a wake due again, without a try less; {@code why} null leaves what was before. */
  private static void later(
      Transaction tx, Open wake, @Nullable Instant busySince, @Nullable String why, Instant now) {
    tx.update(
        """
        update wake set state = 'DUE', tries = tries - 1, due_at = ?, busy_since = ?,
          last_error = coalesce(?, last_error)
        where wake_id = ?
        """,
        now.plus(AGAIN),
        busySince,
        why,
        wake.wakeId());
  }

  private static void fail(
      Transaction tx, Open wake, String error, Instant now, List<Event> events) {
    boolean isDead = wake.tries() >= MAX_TRIES;
    tx.update(
        """
        update wake set state = ?, due_at = ?, ended_at = ?, last_error = ?, busy_since = null
        where wake_id = ?
        """,
        isDead ? "DEAD" : "DUE",
        now.plusSeconds(2L << wake.tries()),
        isDead ? now : null,
        error,
        wake.wakeId());
    tx.update(
        "update wake_attempt set outcome = 'failed', detail = ? where wake_id = ? and attempt = ?",
        error,
        wake.wakeId(),
        wake.attempt());
    if (!isDead) {
      return;
    }
    String cause = error.replaceFirst("(?s):.*", ""); // without what a command has printed
    String sentence = "%s couldn't be woken: %s.".formatted(wake.participant(), cause);
    events.add(new Event("wake_dead", wake.participant(), sentence));
    WakeGuard.died(tx, wake, cause, now, events);
  }

  /** Begins, ends and retries wakes, and adds what is to be told; returns how many are done. */
  public static int tick(Transaction tx, Instant now, List<Event> events) {
    if (tx.number("select count(*) from waker") == 0) {
      return 0;
    }
    tx.update(
        """
        delete from wake where state = 'DUE' and tries = 0 and not exists (
          select 1 from mail where recipient = participant and position <= up_to
            and collected_at is null and given_at is null) and not exists (
          select 1 from wake_attempt
          where wake_attempt.wake_id = wake.wake_id and outcome = 'stopped')
        """);
    int done =
        tx.update(
            """
            update wake set state = 'DONE', ended_at = ?, last_error = null
            where state in ('DUE', 'RUNNING') and attempt > 0 and not exists (
              select 1 from mail
              where recipient = participant and position <= up_to and collected_at is null)
            """,
            now);
    for (Open wake : tx.rows(Open.class, OPEN + "state = 'RUNNING' and lease_until < ?", now)) {
      String ended = "select outcome = 'ended' from wake_attempt where wake_id = ? and attempt = ?";
      boolean hasEnded = tx.number(ended, wake.wakeId(), wake.attempt()) > 0;
      fail(tx, wake, hasEnded ? "ended without collecting" : "its runner is gone", now, events);
    }
    tx.update("delete from wake where ended_at < ?", now.minus(KEPT));
    begin(tx, now);
    tx.rows(Open.class, OPEN + "state = 'DUE' and attempt = 0")
        .forEach(wake -> WakeGuard.begun(tx, wake, now, events));
    return done;
  }

  /** A sentence about who isn't woken though messages wait for it, if there is anybody. */
  static Optional<String> problem(Transaction tx, Instant now) {
    return tx.row(
        String.class,
        """
        select 'Nobody wakes ' || group_concat(
          participant || iif(paused_reason is null, ' (no runner)', ' (paused)'), ', ')
          || ', though messages wait: see joshua wakes.'
        from waker where exists (
            select 1 from mail where recipient = participant and collected_at is null)
          and (paused_reason is not null or (runner_at < ? and exists (
            select 1 from wake where wake.participant = waker.participant and state = 'DUE')))
        having count(*) > 0
        """,
        now.minus(LEASE));
  }

  private static void begin(Transaction tx, Instant now) {
    tx.update(
        """
        insert into wake (participant, up_to, thread_id, state, attempt, tries, due_at, created_at)
        select participant, max(position),
          (select thread_id from post where post.message_id = mail.message_id),
          'DUE', 0, 0, ?1, ?1
        from waker join mail on recipient = participant
        where paused_reason is null and attention <> 'NONE' and coalesce(quiet_until, 0) <= ?1
          and collected_at is null and given_at is null
          and position > (
            select coalesce(max(up_to), 0) from wake
            where wake.participant = waker.participant and state = 'DEAD')
          and (attention = 'ALL' or not exists (
            select 1 from post where post.message_id = mail.message_id))
          and not exists (
            select 1 from wake
            where wake.participant = waker.participant and state in ('DUE', 'RUNNING'))
        group by participant
        """,
        now);
  }

  /** Lets somebody's dead wake begin anew, and ends a pause; whether there was something. */
  public static boolean again(Transaction tx, String participant, Instant now) {
    int resumed =
        tx.update(
            """
            update waker set paused_reason = null
            where participant = ? and paused_reason is not null
            """,
            participant);
    int revived =
        tx.update(
            """
            update wake set state = 'DUE', tries = 0, due_at = ?, ended_at = null
            where wake_id = (
              select wake_id from wake where participant = ?2 order by wake_id desc limit 1)
              and state = 'DEAD'
            """,
            now,
            participant);
    return resumed + revived > 0;
  }
}
