package joshua.horace.thinking;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.horace.change.Refused;
import joshua.kernel.Json;
import joshua.network.SchemaHint;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/** The thoughts of sessions: how they are added and tagged, each with its input. */
public final class Thoughts {
  static final int MAX_LENGTH = 65_536;
  private static final int MAX_TAGS = 20;
  private static final String NUMBER = "thoughtNumber";
  private static final String TEXT = "thought";
  private static final String TOTAL = "totalThoughts";

  private Thoughts() {}

  @JsonNaming(LowerCamelCaseStrategy.class)
  public record Think(
      @SchemaHint(min = 1, max = MAX_LENGTH) String thought,
      @SchemaHint("The active one if left out") @Nullable String branchId,
      @JsonUnwrapped Whose whose)
      implements Input.Beginning {}

  /** Adds a thought. */
  public static ObjectNode think(Transaction tx, Place at, Think input) {
    at.requireOpen();
    String branch =
        input.branchId() == null ? at.branch() : Branches.active(tx, at, input.branchId());
    int number = at.add(tx, input.thought(), TEXT, branch, null, null);
    return Json.object()
        .put(NUMBER, number)
        .put(TOTAL, number)
        .put("branchCount", at.session().branches())
        .put(TEXT, input.thought());
  }

  @JsonNaming(LowerCamelCaseStrategy.class)
  public record Revise(
      @SchemaHint(min = 1, max = MAX_LENGTH) String thought,
      int revisesThought,
      @JsonUnwrapped Whose whose)
      implements Input {}

  /** Adds a thought about an earlier one. */
  public static ObjectNode revise(Transaction tx, Place at, Revise input) {
    at.requireOpen();
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
      @SchemaHint(min = 1, max = MAX_LENGTH) String conclusion, @JsonUnwrapped Whose whose)
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

  @JsonNaming(LowerCamelCaseStrategy.class)
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
        .map(it -> Branches.requireName("a tag", it.strip().toLowerCase(Locale.ROOT)))
        .filter(it -> !it.isEmpty())
        .distinct()
        .collect(Collectors.toCollection(ArrayList::new));
  }
}
