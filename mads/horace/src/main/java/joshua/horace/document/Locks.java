package joshua.horace.document;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import joshua.horace.change.Answer;
import joshua.horace.change.ChangeLog;
import joshua.horace.change.Request;
import joshua.kernel.AwakeTime;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Timestamps;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.ToolResult;
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
  private static final String KIND = "lock";
  private static final String FENCE = "fence";
  private static final String UNTIL = "until";
  private static final int DEFAULT_HOLD_S = 60;
  private static final int MAX_LOCKS = 1_000;
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

  /** The input of {@code document_lock}. */
  public record Take(
      String path,
      @SchemaHint(value = "How long it lasts; 60 if left out", min = 1, max = 3_600)
          @Nullable Integer holdS,
      @SchemaHint(value = "How long to wait for another's end", min = 0, max = 60_000)
          @Nullable Integer waitMs,
      @SchemaHint("Of your lock, to extend it") @Nullable Long fence,
      @SchemaHint(value = "What for", max = 500) @Nullable String note,
      @Nullable String project,
      @Name @Nullable String clientId)
      implements Request.Input {}

  /** The input of {@code document_unlock}. */
  public record Release(
      String path, long fence, @Nullable String project, @Name @Nullable String clientId)
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

  private static Optional<Held> find(Transaction tx, String project, String path) {
    return tx.row(
        Held.class,
        """
        select holder, fence, note, since, until_ms, ended from document_lock
        where project = ? and path = ?
        """,
        project,
        path);
  }

  /** The lock that is in force. */
  private Optional<Held> inForce(Transaction tx, String project, String path) {
    return find(tx, project, path).filter(held -> held.ended() == null && held.untilMs() > nowMs());
  }

  /** The lock in force, as readers see it; null for none. */
  @Nullable ObjectNode shown(Transaction tx, Request by, String path) {
    return inForce(tx, by.project(), path)
        .map(held ->
            Json.object()
                .put("holder", held.holder())
                .put("note", held.note())
                .put(UNTIL, until(held, by.at())))
        .orElse(null);
  }

  private String until(Held held, Instant now) {
    return Timestamps.format(now.plusMillis(Math.max(0, held.untilMs() - nowMs())));
  }

  /** The refusal of a change without the fence of the lock in force, or with that of another. */
  Optional<Refusal> refuse(Transaction tx, Request by, String path, @Nullable Long fence) {
    Optional<Held> held = inForce(tx, by.project(), path);
    if (fence == null || held.filter(it -> it.fence() == fence).isPresent()) {
      return held.filter(_ -> fence == null).map(it -> heldBy(it, by, path));
    }
    String now = held.map(it -> it.holder() + " holds it now").orElse("nobody holds one now");
    String sentence =
        "%d is no fence of a lock on %s that is in force: %s. Nothing was done. Read it again."
            .formatted(fence, path, now);
    return Optional.of(Refusal.of(ErrorCode.CONFLICT, sentence));
  }

  private Refusal heldBy(Held held, Request by, String path) {
    String note = held.note() == null ? "" : " (\"%s\")".formatted(held.note());
    String until = until(held, by.at());
    String sentence =
        "%s holds a lock on %s since %s%s, until %s if it isn't extended. Nothing was done."
            .formatted(held.holder(), path, Timestamps.format(held.since()), note, until);
    return Refusal.of(ErrorCode.CONFLICT, sentence)
        .with("holder", TextNode.valueOf(held.holder()))
        .with("since", TextNode.valueOf(Timestamps.format(held.since())))
        .with(UNTIL, TextNode.valueOf(until));
  }

  /** Takes a lock, or extends one. */
  public ToolResult take(Request by, Take input) throws InterruptedException {
    Optional<Refusal> refusal = DocumentPath.refuse(input.path());
    if (refusal.isPresent()) {
      return new ToolResult.Refused(refusal.get());
    }
    long end = System.nanoTime() + requireNonNullElse(input.waitMs(), 0) * 1_000_000L;
    while (true) {
      long seen = changes.changes();
      Optional<Held> other =
          database
              .read(tx -> inForce(tx, by.project(), input.path()))
              .filter(_ -> input.fence() == null);
      Duration left = Duration.ofNanos(end - System.nanoTime());
      if (other.isPresent() && left.isPositive()) {
        Duration lasts = Duration.ofMillis(Math.max(1, other.get().untilMs() - nowMs()));
        changes.await(seen, min(left, min(lasts, MAX_WAIT)));
        continue;
      }
      Request now = by.at(time.instant());
      ToolResult result = database.write(tx -> take(tx, now, input));
      boolean another =
          result instanceof ToolResult.Refused(Refusal it) && it.details().containsKey(UNTIL);
      if (!another || !left.isPositive()) {
        return result; // else another one who waited was first
      }
    }
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private ToolResult take(Transaction tx, Request by, Take input) {
    String path = input.path();
    Optional<Refusal> refusal = refuse(tx, by, path, input.fence());
    if (refusal.isPresent()) {
      return new ToolResult.Refused(refusal.get());
    }
    Optional<Held> before = find(tx, by.project(), path);
    long live = tx.number("select count(*) from document_lock where ended is null");
    if (live >= MAX_LOCKS && before.isEmpty()) {
      String sentence = "There are %d locks, which is the most.".formatted(MAX_LOCKS);
      return Answer.refused(ErrorCode.OVERLOADED, sentence);
    }
    long holdMs = requireNonNullElse(input.holdS(), DEFAULT_HOLD_S) * 1_000L;
    long untilMs = nowMs() + holdMs;
    Long fence = input.fence();
    if (fence != null) {
      tx.update(
          """
          update document_lock set hold_ms = ?, until_ms = ?, note = coalesce(?, note)
          where fence = ?
          """,
          holdMs,
          untilMs,
          input.note(),
          fence);
    } else {
      fence = ChangeLog.add(tx, by, KIND, path, null, "lock", input.note(), null);
      tx.update(
          "insert or replace into document_lock values (?, ?, ?, ?, ?, ?, ?, ?, null)",
          by.project(),
          path,
          by.author(),
          fence,
          input.note(),
          by.at(),
          holdMs,
          untilMs);
    }
    ObjectNode answer =
        Json.object().put(FENCE, fence).put(UNTIL, Timestamps.format(by.at().plusMillis(holdMs)));
    if (input.fence() == null) {
      before.ifPresent(it ->
          answer
              .putObject("held_before")
              .put("holder", it.holder())
              .put("ended", requireNonNullElse(it.ended(), "expire")));
    }
    return Answer.of(answer);
  }

  /** Ends a lock by its fence; that there is none is no failure. */
  public ToolResult release(Request by, Release input) {
    return database.write(tx -> {
      Optional<Held> held = inForce(tx, by.project(), input.path());
      Optional<Refusal> refusal = held.flatMap(it -> refuse(tx, by, input.path(), input.fence()));
      if (refusal.isPresent()) {
        return new ToolResult.Refused(refusal.get());
      }
      held.ifPresent(it -> end(tx, by, input.path(), "unlock"));
      return Answer.of(Json.object().put("released", held.isPresent()));
    });
  }

  private static void end(Transaction tx, Request by, String path, String how) {
    tx.update(
        "update document_lock set ended = ? where project = ? and path = ?",
        how,
        by.project(),
        path);
    ChangeLog.add(tx, by, KIND, path, null, how, null, null);
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
      for (Expired it : all) {
        Request by =
            new Request(it.holder(), it.project(), UUID.randomUUID(), time.instant(), 0, "now");
        end(tx, by, it.path(), "expire");
      }
      return all;
    });
    changes.changed();
  }
}
