package joshua.horace.thinking;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.horace.change.Refused;
import joshua.kernel.Json;
import joshua.network.SchemaHint;
import joshua.state.Classpath;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The thoughts of sessions, and their branches beside main, which each has: what is done with them,
 * each with its input.
 */
public final class Thoughts {
  static final int MAX_BRANCHES = 200;
  private static final int MAX_TAGS = 20;
  private static final String NUMBER = "thoughtNumber";
  private static final String TEXT = "thought";
  private static final String TOTAL = "totalThoughts";
  private static final int MAX_NAME = 64;
  private static final int MAX_MERGED = 1024 * 1024;
  private static final String ID = "branchId";
  private static final String STATUS = "branchStatus";
  private static final String MERGED = Classpath.read(Thoughts.class, "merge_branch.sql");

  private Thoughts() {}

  public record Think(
      @SchemaHint(min = 1, max = Place.MAX_LENGTH) String thought,
      @SchemaHint("The active one if left out") @Nullable String branchId,
      @JsonUnwrapped Whose whose)
      implements Input.Beginning {}

  /** Adds a thought. */
  public static ObjectNode think(Transaction tx, Place at, Think input) {
    at.requireOpen();
    at.requireRoom();
    String branch = input.branchId() == null ? at.branch() : active(tx, at, input.branchId());
    int number = at.add(tx, input.thought(), TEXT, branch, null, null);
    return Json.object()
        .put(NUMBER, number)
        .put(TOTAL, number)
        .put("branchCount", at.session().branches())
        .put(TEXT, input.thought());
  }

  public record Revise(
      @SchemaHint(min = 1, max = Place.MAX_LENGTH) String thought,
      int revisesThought,
      @JsonUnwrapped Whose whose)
      implements Input {}

  /** Adds a thought about an earlier one. */
  public static ObjectNode revise(Transaction tx, Place at, Revise input) {
    at.requireOpen();
    at.requireRoom();
    int revised = input.revisesThought();
    text(tx, at, revised);
    int number = at.add(tx, input.thought(), "revision", at.branch(), revised, null);
    return Json.object()
        .put(NUMBER, number)
        .put("revisesThought", revised)
        .put(TOTAL, number)
        .put(TEXT, input.thought());
  }

  private static String text(Transaction tx, Place at, int number) {
    String text = "select thought from thought where session = ? and number = ?";
    return tx.row(String.class, text, at.id(), number)
        .orElseThrow(() -> Refused.notFound("There is no thought %d.", number));
  }

  public record Complete(
      @SchemaHint(min = 1, max = Place.MAX_LENGTH) String conclusion, @JsonUnwrapped Whose whose)
      implements Input {}

  /** Ends a session. */
  public static ObjectNode complete(Transaction tx, Place at, Complete input) {
    at.requireOpen();
    String text = "CONCLUSION: " + input.conclusion();
    int number = at.add(tx, text, "conclusion", at.branch(), null, null);
    tx.update("update session set status = 'complete' where id = ?", at.id());
    at.log(tx, "complete", null);
    return Json.object()
        .put("conclusionThought", number)
        .put(TOTAL, number)
        .put("branchCount", at.session().branches())
        .put("conclusion", input.conclusion())
        .put("sessionStatus", "complete");
  }

  public record Tag(
      int thoughtNumber,
      @Nullable List<String> add,
      @Nullable List<String> remove,
      @JsonUnwrapped Whose whose)
      implements Input {}

  /** Adds and removes tags. */
  public static ObjectNode tag(Transaction tx, Place at, Tag input) {
    int number = input.thoughtNumber();
    ObjectNode answer = Json.object().put(NUMBER, number).put(TEXT, text(tx, at, number));
    String tags = "select tag from tag where session = ? and number = ?";
    List<String> before = tx.rows(String.class, tags, at.id(), number);
    List<String> add = plain(input.add());
    List<String> remove = plain(input.remove());
    if (Stream.concat(before.stream(), add.stream()).distinct().count() > MAX_TAGS) {
      throw Refused.conflict("A thought has at most %d tags.", MAX_TAGS);
    }
    add.removeAll(before);
    add.forEach(it -> tx.update("insert into tag values (?, ?, ?)", at.id(), number, it));
    String delete = "delete from tag where session = ? and number = ? and tag = ?";
    remove.removeIf(it -> tx.update(delete, at.id(), number, it) == 0);
    answer.set("tags", Json.mapper().valueToTree(tx.rows(String.class, tags, at.id(), number)));
    answer.set("added", Json.mapper().valueToTree(add));
    answer.set("removed", Json.mapper().valueToTree(remove));
    return answer;
  }

  /** Tags as they are compared, each once. */
  private static List<String> plain(@Nullable List<String> tags) {
    return requireNonNullElse(tags, List.<String>of()).stream()
        .map(it -> requireName("a tag", it.strip().toLowerCase(Locale.ROOT)))
        .filter(it -> !it.isEmpty())
        .distinct()
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /** Refuses a name that isn't part of a line. */
  static String requireName(String what, String name) {
    if (name.length() > MAX_NAME || name.codePoints().anyMatch(Character::isISOControl)) {
      throw Refused.invalid(
          "%s must have 1 to %d characters, and no control characters", what, MAX_NAME);
    }
    return name;
  }

  private static String status(Transaction tx, Place at, String id) {
    String status = "select status from branch where session = ? and id = ?";
    return tx.row(String.class, status, at.id(), id)
        .orElseThrow(() -> Refused.notFound("Branch '%s' not found", id));
  }

  /** A branch that must be active; null for main. */
  static @Nullable String active(Transaction tx, Place at, String id) {
    if (id.equals(Place.MAIN)) {
      return null;
    }
    String status = status(tx, at, id);
    if (!status.equals("active")) {
      throw Refused.conflict("Branch '%s' is %s, not active", id, status);
    }
    return id;
  }

  public record Begin(
      @SchemaHint(min = 1, max = MAX_NAME) String branchId,
      @SchemaHint(min = 1, max = Place.MAX_LENGTH) String reason,
      @JsonUnwrapped Whose whose)
      implements Input.Beginning {}

  /** Begins a branch, and goes there. */
  public static ObjectNode begin(Transaction tx, Place at, Begin input) {
    at.requireOpen();
    at.requireRoom();
    String id = requireName(ID, input.branchId());
    String count = "select count(*) from branch where session = ? and id = ?";
    if (id.equals(Place.MAIN) || tx.number(count, at.id(), id) > 0) {
      throw Refused.conflict("Branch '%s' already exists", id);
    } else if (at.session().branches() >= MAX_BRANCHES) {
      throw Refused.conflict("A session has at most %d branches.", MAX_BRANCHES);
    }
    int origin = at.session().thoughts();
    int number = at.add(tx, "BRANCH START: " + input.reason(), "branch", id, null, origin);
    @Nullable Object[] row = {at.id(), id, origin, at.by().author(), at.by().at()};
    tx.update(
        "insert into branch values (?, ?, ?, 'active', null, null, null, ?, ?, null, null)", row);
    at.move(tx, id);
    at.log(tx, "branch", id);
    return Json.object()
        .put(Place.ACTIVE_BRANCH, id)
        .put(ID, id)
        .put("originThought", origin)
        .put(NUMBER, number)
        .put("reason", input.reason())
        .put(STATUS, "active");
  }

  public record Switch(
      @SchemaHint("main if left out") @Nullable String branchId, @JsonUnwrapped Whose whose)
      implements Input {}

  /** Goes to a branch. */
  public static ObjectNode switchTo(Transaction tx, Place at, Switch input) {
    String id = input.branchId() == null ? null : active(tx, at, input.branchId());
    at.move(tx, id);
    return Json.object()
        .put(Place.ACTIVE_BRANCH, id == null ? Place.MAIN : id)
        .put("message", id == null ? "Switched to main" : "Switched to branch '%s'".formatted(id));
  }

  public record Close(
      String branchId,
      @SchemaHint(max = Place.MAX_LENGTH) @Nullable String conclusion,
      @JsonUnwrapped Whose whose)
      implements Input {}

  /** Ends a branch. */
  public static ObjectNode close(Transaction tx, Place at, Close input) {
    String id = input.branchId();
    String status = status(tx, at, id);
    if (!status.equals("active")) {
      throw Refused.conflict("Branch '%s' is already %s", id, status);
    }
    String set = "set status = 'closed', closed_at = ?, conclusion = ?";
    update(tx, set, at.by().at(), input.conclusion(), at.id(), id);
    return left(tx, at, id)
        .put(STATUS, "closed")
        .put("closedAt", at.by().at().toEpochMilli())
        .put("conclusion", input.conclusion());
  }

  private static void update(Transaction tx, String set, @Nullable Object... arguments) {
    tx.update("update branch %s where session = ? and id = ?".formatted(set), arguments);
  }

  /** Leaves a branch that has ended; others who are there find themselves on main. */
  private static ObjectNode left(Transaction tx, Place at, String id) {
    String leave =
        "update session set active_branch = nullif(active_branch, ?), updated_at = ? where id = ?";
    tx.update(leave, id, at.by().at(), at.id());
    ObjectNode answer = Json.object().put(ID, id);
    return id.equals(at.branch()) ? answer.put(Place.ACTIVE_BRANCH, Place.MAIN) : answer;
  }

  /** What main has of a branch that is merged. */
  public enum Strategy {
    CONCLUSION_ONLY,
    FULL_INTEGRATION,
    SUMMARY
  }

  public record Merge(String branchId, Strategy strategy, @JsonUnwrapped Whose whose)
      implements Input {}

  /** Ends a branch, with a thought on main. */
  public static ObjectNode merge(Transaction tx, Place at, Merge input) {
    at.requireRoom();
    String id = input.branchId();
    if (status(tx, at, id).equals("merged")) {
      throw Refused.conflict("Branch '%s' is already merged", id);
    }
    ObjectNode ask = Json.mapper().valueToTree(input);
    String content =
        tx.row(String.class, MERGED, ask.put("session", at.id()).toString()).orElseThrow();
    if (content.length() > MAX_MERGED) {
      throw Refused.conflict("Branch '%s' is too long for that; merge its summary", id);
    }
    int number = at.add(tx, content, "summary", null, null, null);
    String set = "set status = 'merged', merged_at = ?, strategy = lower(?), merge_thought = ?";
    update(tx, set, at.by().at(), input.strategy(), number, at.id(), id);
    at.log(tx, "merge", id);
    return left(tx, at, id)
        .put(STATUS, "merged")
        .put("mergedAt", at.by().at().toEpochMilli())
        .put("mergeThoughtNumber", number)
        .put("mergeContent", content);
  }
}
