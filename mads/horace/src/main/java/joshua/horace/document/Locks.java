package joshua.horace.document;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import joshua.horace.change.ChangeLog;
import joshua.horace.change.ChangeLog.Kind;
import joshua.horace.change.Refused;
import joshua.horace.change.Request;
import joshua.horace.change.Request.Scope;
import joshua.kernel.AwakeTime;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Timestamps;
import joshua.network.SchemaHint;
import joshua.state.Database;
import joshua.state.Pulse;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The locks on documents. Each has a fence, the number of the change that began it, without which
 * nobody writes while it lasts. It ends by itself, on a clock that stands while this process is
 * suspended; a restart gives each holder the whole time again.
 */
public final class Locks {
  private static final String FENCE = "fence";
  private static final String HOLDER = "holder";
  private static final String EXPIRE = "expire";
  private static final String UNTIL = "until";
  private static final int MAX_LOCKS = 1_000;
  private static final int DEFAULT_HOLD_S = 60;
  private static final Duration MAX_WAIT = Duration.ofSeconds(1);

  private final Database database;
  private final Pulse changes;
  private final AwakeTime awake;
  private final InstantSource time;

  /** The locks of a database, which get their whole time again. */
  public Locks(Database database, Pulse changes, AwakeTime awake, InstantSource time) {
    this.time = time;
    this.database = database;
    this.changes = changes;
    this.awake = awake;
    long now = nowMs();
    database.write(tx ->
        tx.update("update document_lock set until_ms = ? + hold_ms where ended is null", now));
  }

  public record Take(
      String path,
      @SchemaHint(value = "How long it lasts; 60 if left out", min = 1, max = 3_600)
          @Nullable Integer holdS,
      @SchemaHint(value = "How long to wait for another's end", min = 0, max = 60_000)
          @Nullable Integer waitMs,
      @SchemaHint("Of your lock, to extend it") @Nullable Long fence,
      @SchemaHint(value = "What for", max = 500) @Nullable String note,
      @JsonUnwrapped Scope scope)
      implements Request.Input {}

  public record Release(String path, long fence, @JsonUnwrapped Scope scope)
      implements Request.Input {}

  private record Held(
      String holder,
      long fence,
      @Nullable String note,
      Instant since,
      long untilMs,
      @Nullable String ended) {}

  private long nowMs() {
    return TimeUnit.NANOSECONDS.toMillis(awake.nanos());
  }

  private static Optional<Held> find(Transaction tx, Request by, String path) {
    String sql =
        """
        select holder, fence, note, since, until_ms, ended from document_lock
        where project = ? and path = ?
        """;
    return tx.row(Held.class, sql, by.project(), path);
  }

  /** The lock that is in force. */
  private Optional<Held> inForce(Transaction tx, Request by, String path) {
    return find(tx, by, path).filter(held -> held.ended() == null && held.untilMs() > nowMs());
  }

  /** The lock in force, as readers see it. */
  Optional<ObjectNode> shown(Transaction tx, Request by, String path) {
    return inForce(tx, by, path)
        .map(held ->
            Json.object()
                .put(HOLDER, held.holder())
                .put("note", held.note())
                .put(UNTIL, until(held, by.at())));
  }

  private String until(Held held, Instant now) {
    return Timestamps.format(now.plusMillis(Math.max(0, held.untilMs() - nowMs())));
  }

  /** Refuses a change without the fence of the lock in force, or with that of another. */
  void require(Transaction tx, Request by, String path, @Nullable Long fence) {
    Held held = inForce(tx, by, path).orElse(null);
    if (fence == null && held != null) {
      String note = held.note() == null ? "" : " (\"%s\")".formatted(held.note());
      String since = Timestamps.format(held.since());
      String until = until(held, by.at());
      String sentence =
          "%s holds a lock on %s since %s%s, until %s if it isn't extended. Nothing was done."
              .formatted(held.holder(), path, since, note, until);
      throw new Refused(
          Refusal.of(ErrorCode.CONFLICT, sentence)
              .with(HOLDER, TextNode.valueOf(held.holder()))
              .with("since", TextNode.valueOf(since))
              .with(UNTIL, TextNode.valueOf(until)));
    } else if (fence != null && (held == null || held.fence() != fence)) {
      String now = held == null ? "nobody holds one" : held.holder() + " holds it";
      throw Refused.conflict(
          "%d is no fence of a lock on %s that is in force: %s now. Nothing was done. Read it again.",
          fence, path, now);
    }
  }

  /** Takes a lock, or extends one. */
  public ObjectNode take(Request by, Take input) throws InterruptedException {
    String path = VersionStore.requirePath(input.path());
    long end = System.nanoTime() + requireNonNullElse(input.waitMs(), 0) * 1_000_000L;
    while (true) {
      long seen = changes.changes();
      Request now = by.at(time.instant());
      try {
        database.read(tx -> {
          require(tx, now, path, input.fence());
          return path;
        });
        if (by.gone().getAsBoolean()) {
          throw new InterruptedException(); // or nobody would know the fence
        }
        return Refused.orWritten(database, tx -> take(tx, now, input)); // if no other was first
      } catch (Refused e) {
        Duration left = Duration.ofNanos(end - System.nanoTime());
        if (!left.isPositive() || !e.refusal().details().containsKey(UNTIL)) {
          throw e;
        }
        changes.await(seen, left.compareTo(MAX_WAIT) < 0 ? left : MAX_WAIT);
      }
    }
  }

  private ObjectNode take(Transaction tx, Request by, Take input) {
    String path = input.path();
    require(tx, by, path, input.fence());
    Optional<Held> before = find(tx, by, path);
    long holdMs = requireNonNullElse(input.holdS(), DEFAULT_HOLD_S) * 1_000L;
    long until = nowMs() + holdMs;
    ObjectNode answer = Json.object();
    if (input.fence() != null) {
      String extend =
          "update document_lock set hold_ms = ?, until_ms = ?, note = coalesce(?, note) where fence = ?";
      tx.update(extend, holdMs, until, input.note(), input.fence());
      answer.put(FENCE, input.fence());
    } else {
      if (tx.number("select count(*) from document_lock where ended is null") >= MAX_LOCKS) {
        throw Refused.of(ErrorCode.OVERLOADED, "There are %d locks, the most.", MAX_LOCKS);
      }
      long fence = ChangeLog.add(tx, by, Kind.LOCK, path, "lock", input.note());
      @Nullable Object[] row = {
        by.project(), path, by.author(), fence, input.note(), by.at(), holdMs, until
      };
      tx.update("insert or replace into document_lock values (?, ?, ?, ?, ?, ?, ?, ?, null)", row);
      answer.put(FENCE, fence);
      before.ifPresent(it ->
          answer
              .putObject("held_before")
              .put(HOLDER, it.holder())
              .put("ended", requireNonNullElse(it.ended(), EXPIRE)));
    }
    return answer.put(UNTIL, Timestamps.format(by.at().plusMillis(holdMs)));
  }

  /** Ends a lock by its fence; that there is none is no failure. */
  public ObjectNode release(Request by, Release input) {
    return Refused.orWritten(
        database,
        tx -> {
          boolean held = inForce(tx, by, input.path()).isPresent();
          if (held) {
            require(tx, by, input.path(), input.fence());
            end(tx, by, input.path(), "unlock");
          }
          return Json.object().put("released", held);
        });
  }

  private static void end(Transaction tx, Request by, String path, String how) {
    String end = "update document_lock set ended = ? where project = ? and path = ?";
    tx.update(end, how, by.project(), path);
    ChangeLog.add(tx, by, Kind.LOCK, path, how, null);
  }

  private record Expired(String project, String path, String holder) {}

  /** Ends the locks whose time is over. */
  public void sweep() {
    String over =
        "select project, path, holder from document_lock where ended is null and until_ms <= ?";
    long now = nowMs();
    if (database.read(tx -> tx.rows(Expired.class, over, now)).isEmpty()) {
      return;
    }
    database.write(tx -> {
      List<Expired> all = tx.rows(Expired.class, over, now);
      all.forEach(
          it -> end(tx, Request.of(it.holder(), it.project(), time.instant()), it.path(), EXPIRE));
      return all;
    });
    changes.changed();
  }
}
