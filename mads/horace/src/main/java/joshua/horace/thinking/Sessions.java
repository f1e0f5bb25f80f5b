package joshua.horace.thinking;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import joshua.horace.change.Refused;
import joshua.horace.change.Request;
import joshua.horace.thinking.Place.Session;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import joshua.state.Classpath;
import joshua.state.Database;
import joshua.state.Migration;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The sessions, each a train of thought, and the seats of callers. A seat is where calls go that
 * name no session: a session, and a branch of it. It is the caller's by name and by its session in
 * MCP; who has neither has no seat, and names its session.
 */
public record Sessions(Database database) {
  public static final List<Migration> MIGRATIONS =
      Migration.load(Sessions.class, "0004-thinking.sql");

  private static final Map<String, String> QUERIES = new ConcurrentHashMap<>();
  private static final String NEW = "new";
  private static final Duration RECENT = Duration.ofDays(1);

  /** Work in a session, in a transaction; it may throw {@link Refused} before its first change. */
  @FunctionalInterface
  public interface Work<I> {
    ObjectNode in(Transaction tx, Place at, I input);
  }

  /** Does work that changes a session; its answer begins with where the caller is. */
  public <I extends Input> ObjectNode change(Request by, I input, Work<I> work) {
    return Refused.orWritten(
        database,
        tx -> {
          Place at = place(tx, by, input);
          return at.answer().setAll(work.in(tx, at, input));
        });
  }

  /** Answers from the caller's session by a query, the file of a name, and what is made of that. */
  public <I extends Input> ObjectNode read(
      Request by, I input, String query, UnaryOperator<ObjectNode> made) {
    ObjectNode answer = Json.object();
    ObjectNode found =
        database.read(tx -> {
          Place at = place(tx, by, input);
          answer.setAll(at.answer());
          return found(tx, query, ask(by, input).put("session", at.id()));
        });
    return answer.setAll(made.apply(found));
  }

  /** Answers by a query, the file of a name, whoever's session it is about. */
  public <I extends Input> ObjectNode find(Request by, I input, String query) {
    return database.read(tx -> found(tx, query, ask(by, input)));
  }

  /** What queries know as {@code :ask}: the input, and of the call what matters. */
  private static ObjectNode ask(Request by, Input input) {
    return Json.mapper()
        .<ObjectNode>valueToTree(input)
        .put("project", by.project())
        .put("seat", seat(by))
        .put("now", Timestamps.format(by.at()))
        .put("room", by.roomForRows());
  }

  /** The answer of a query; without one, something of what is asked isn't there. */
  static ObjectNode found(Transaction tx, String query, ObjectNode ask) {
    String sql = QUERIES.computeIfAbsent(query, it -> Classpath.read(Sessions.class, it + ".sql"));
    return tx.row(ObjectNode.class, sql, ask.toString())
        .orElseThrow(() -> {
          String what = ask.has("id") ? "session" : ask.has("thoughtNumber") ? "thought" : "branch";
          return Refused.notFound("There is no such %s.", what);
        });
  }

  private static @Nullable String seat(Request by) {
    return !by.named() && by.session().isEmpty()
        ? null
        : String.join(" ", by.author(), by.project(), by.session().orElse(""));
  }

  private record Seat(String session, @Nullable String branch) {}

  private static Place place(Transaction tx, Request by, Input input) {
    String wanted = input.whose().sessionId();
    String caller = seat(by);
    Optional<Seat> seat =
        tx.row(Seat.class, "select session, branch from seat where caller = ?", caller);
    String id = requireNonNullElse(wanted, seat.map(Seat::session).orElse(NEW));
    if (!id.equals(NEW)) {
      boolean sits = seat.filter(it -> it.session().equals(id)).isPresent();
      return place(tx, by, id, caller, sits ? seat : Optional.empty());
    }
    if (caller == null && wanted == null) {
      refuseUnclear(tx, by);
    }
    if (!(input instanceof Input.Beginning)) {
      throw Refused.notFound("You have no session yet; think begins one.");
    }
    String fresh = UUID.randomUUID().toString();
    return new Place(by, new Session(fresh, by.project(), "", "active", null, 0, 0), null, caller);
  }

  /** A place in a session: on the branch of a seat there or else of the session, if active. */
  private static Place place(
      Transaction tx, Request by, String id, @Nullable String caller, Optional<Seat> seat) {
    Session session =
        tx.row(Session.class, Session.SELECT + "where id = ?", id)
            .orElseThrow(() -> Refused.notFound("There is no session %s; see session_list.", id));
    String branch = seat.isPresent() ? seat.get().branch() : session.activeBranch();
    String find = "select id from branch where session = ? and id = ? and status = 'active'";
    String active = tx.row(String.class, find, id, branch).orElse(null);
    return new Place(by.in(session.project()), session, active, caller);
  }

  /** Takes the caller's seat in a session. */
  static Place sit(Transaction tx, Request by, String id) {
    Place at = place(tx, by, id, seat(by), Optional.empty());
    at.sit(tx);
    return at;
  }

  /** Refuses a call that names no session where its author may have begun one before. */
  private static void refuseUnclear(Transaction tx, Request by) {
    String last =
        Session.SELECT
            + """
            where project = ? and created_by = ? and status = 'active' and updated_at > ?
            order by updated_at desc limit 1
            """;
    tx.row(Session.class, last, by.project(), by.author(), by.at().minus(RECENT))
        .ifPresent(it -> {
          throw Refused.conflict(
              "Pass sessionId: your last is %s (\"%s\", %d thoughts); or sessionId \"new\".",
              it.id(), it.name(), it.thoughts());
        });
  }

  /** Forgets the seats in sessions where nothing has happened for long. */
  public static void trim(Transaction tx, Instant before) {
    tx.update(
        "delete from seat where session in (select id from session where updated_at < ?)", before);
  }
}
