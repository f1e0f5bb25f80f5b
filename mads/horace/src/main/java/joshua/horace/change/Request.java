package joshua.horace.change;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import joshua.kernel.Json;
import joshua.network.Name;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a call beside its input.
 *
 * @param author who makes it
 * @param named whether that is a name of the author's own, and not that of a kind of program
 * @param room the size of an answer, in bytes, that the caller prefers
 * @param told when others are told of a change: {@code now}, or {@code later}
 * @param gone whether the caller isn't there any more
 * @param session the id of the caller's session in MCP, if it has one that outlives the call
 */
public record Request(
    String author,
    boolean named,
    String project,
    UUID correlation,
    Instant at,
    int room,
    String told,
    BooleanSupplier gone,
    Optional<String> session) {
  private static final int BESIDE_ROWS = 1_000;

  /** Of a change that nobody asks for. */
  public static Request of(String author, String project, Instant at) {
    return new Request(
        author, true, project, UUID.randomUUID(), at, 0, "now", () -> false, Optional.empty());
  }

  /** The beginning of an answer. */
  public ObjectNode answer() {
    return Json.object().put("project", project);
  }

  /** The beginning of an answer about a change. */
  public ObjectNode changed(long change) {
    return answer().put("change", change).put("told", told);
  }

  /** The room for what is long in an answer. */
  public int roomForRows() {
    return room - BESIDE_ROWS;
  }

  /** Adds as many rows as there may be and have room, one at least, and returns them. */
  public ArrayNode fit(ObjectNode answer, String member, List<?> rows, int limit) {
    ArrayNode shown = answer.putArray(member);
    int left = roomForRows();
    for (Object each : rows) {
      JsonNode row = Json.mapper().valueToTree(each);
      left -= Json.bytes(row).length;
      if (shown.size() == limit || (left < 0 && !shown.isEmpty())) {
        break;
      }
      shown.add(row);
    }
    return shown;
  }

  /** The same of another project. */
  public Request in(String other) {
    return new Request(author, named, other, correlation, at, room, told, gone, session);
  }

  /** The same at another time. */
  public Request at(Instant time) {
    return new Request(author, named, project, correlation, time, room, told, gone, session);
  }

  /** Of which project a call is, null for the usual one, and the caller's name. */
  public record Scope(@Nullable String project, @Name @Nullable String clientId) {
    /** For calls within the program. */
    public static final Scope NONE = new Scope(null, null);
  }

  /** An input of a tool. */
  public interface Input {
    Scope scope();

    /** Whether its project is to be there already. */
    default boolean needsProject() {
      return true;
    }
  }

  /** The input of tools that need none of their own. */
  public record Plain(@JsonUnwrapped Scope scope) implements Input {}
}
