package joshua.horace.thinking;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import joshua.horace.change.ChangeLog;
import joshua.horace.change.Refused;
import joshua.horace.change.Request;
import joshua.kernel.Json;
import joshua.kernel.UnicodeText;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * Where a call is: in a session, which may be yet to begin, and on a branch of it.
 *
 * @param branch null for main
 * @param seat the caller's, if there is one
 */
public record Place(Request by, Session session, @Nullable String branch, @Nullable String seat) {
  static final String MAIN = "main";
  static final String ACTIVE_BRANCH = "activeBranchId";
  static final int MAX_LENGTH = 65_536;
  static final int MAX_THOUGHTS = 10_000;
  private static final DateTimeFormatter BEGUN =
      DateTimeFormatter.ofPattern("uuuu-MM-dd h:mm a", Locale.US).withZone(ZoneOffset.UTC);

  /** A session; its active branch is null for main. */
  record Session(
      String id,
      String project,
      String name,
      String status,
      @Nullable String activeBranch,
      int thoughts,
      int branches) {
    static final String SELECT =
        """
        select id, project, name, status, active_branch, thoughts,
          (select count(*) from branch where session = session.id)
        from session
        """;

    boolean isComplete() {
      return status.equals("complete");
    }
  }

  String id() {
    return session.id();
  }

  /** The beginning of an answer. */
  ObjectNode answer() {
    return Json.object()
        .put("sessionId", id())
        .put(ACTIVE_BRANCH, requireNonNullElse(branch, MAIN));
  }

  void log(Transaction tx, String action, @Nullable String note) {
    ChangeLog.add(tx, by, ChangeLog.Kind.THINKING, id(), action, note);
  }

  /** Refuses a session that is complete, to which nothing can be added. */
  void requireOpen() {
    if (session.isComplete()) {
      throw Refused.conflict("Session %s is complete; reset it, or pass sessionId \"new\".", id());
    }
  }

  /** Refuses a session to which nothing but its conclusion can be added. */
  void requireRoom() {
    if (session.thoughts() >= MAX_THOUGHTS) {
      throw Refused.conflict(
          "Session %s has %d thoughts, the most there may be; complete it, and begin another.",
          id(), MAX_THOUGHTS);
    }
  }

  /** Adds a thought to a session that has room, and returns its number. */
  int add(
      Transaction tx,
      String thought,
      String type,
      @Nullable String onBranch,
      @Nullable Integer revises,
      @Nullable Integer from) {
    if (session.thoughts() == 0) {
      String begins = UnicodeText.truncate(thought, 50);
      begin(tx, "Session %s: %s".formatted(BEGUN.format(by.at()), begins));
    }
    int number = session.thoughts() + 1;
    @Nullable Object[] row = {
      id(), number, thought, type, onBranch, revises, from, by.author(), by.at()
    };
    tx.update("insert into thought values (?, ?, ?, ?, ?, ?, ?, ?, ?)", row);
    tx.update(
        "update session set thoughts = ?, updated_at = ? where id = ?", number, by.at(), id());
    return number;
  }

  /** Begins the session, if it is yet to begin. */
  void begin(Transaction tx, String name) {
    Object[] row = {id(), by.project(), name, by.author(), by.at(), by.at()};
    String insert =
        "insert or ignore into session values (?, ?, ?, null, 'active', null, 0, ?, ?, ?)";
    if (tx.update(insert, row) == 1) {
      sit(tx);
      log(tx, "begin", null); // a session without a name has that of its first thought
    }
  }

  void sit(Transaction tx) {
    if (seat != null) {
      tx.update("insert or replace into seat values (?, ?, ?, ?)", seat, id(), branch, by.at());
    }
  }

  /** Moves the session to a branch, and the caller if it sits there. */
  void move(Transaction tx, @Nullable String to) {
    tx.update(
        "update session set active_branch = ?, updated_at = ? where id = ?", to, by.at(), id());
    String seats = "update seat set branch = ?, at = ? where caller = ? and session = ?";
    tx.update(seats, to, by.at(), seat, id());
  }
}
