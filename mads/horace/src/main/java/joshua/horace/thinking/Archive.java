package joshua.horace.thinking;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import joshua.horace.change.ChangeLog;
import joshua.horace.change.Refused;
import joshua.horace.change.Request;
import joshua.kernel.Identifiers;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.network.SchemaHint;
import joshua.state.Classpath;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/** Sessions as a whole: named, left, gone on with, written out and read in again; with inputs. */
public record Archive(Sessions sessions) {
  private static final String EXPORT = "export_json";
  private static final List<String> LOADS =
      Stream.of("load_session", "load_branches", "load_thoughts", "load_tags")
          .map(it -> Classpath.read(Archive.class, it + ".sql"))
          .toList();

  public record Reset(boolean confirm, @JsonUnwrapped Whose whose) implements Input {}

  /** Leaves a session, which is kept. */
  public static ObjectNode reset(Transaction tx, Place at, Reset input) {
    if (!input.confirm()) {
      throw Refused.invalid("confirm must be true");
    }
    tx.update(
        "update session set status = 'archived', updated_at = ? where id = ? and status = 'active'",
        at.by().at(),
        at.id());
    tx.update("delete from seat where caller = ? and session = ?", at.seat(), at.id());
    at.log(tx, "reset", null);
    String status = at.session().isComplete() ? "complete" : "archived";
    ObjectNode cleared = Json.object().put("thoughts", at.session().thoughts());
    cleared.put("branches", at.session().branches());
    return Json.object().put("sessionStatus", status).set("cleared", cleared);
  }

  public record Save(
      @SchemaHint(min = 1, max = 200) String name,
      @SchemaHint(max = 2_000) @Nullable String description,
      @JsonUnwrapped Whose whose)
      implements Input.Beginning {}

  /** Names a session. */
  public static ObjectNode save(Transaction tx, Place at, Save input) {
    at.begin(tx, input.name());
    String save = "update session set name = ?, description = ?, updated_at = ? where id = ?";
    tx.update(save, input.name(), input.description(), at.by().at(), at.id());
    return Json.object()
        .put("name", input.name())
        .put("description", input.description())
        .put("thoughtCount", at.session().thoughts())
        .put("branchCount", at.session().branches())
        .put("savedAt", at.by().at().toEpochMilli());
  }

  /** What {@code export} writes. */
  public enum Format {
    MARKDOWN,
    JSON
  }

  public record Export(
      @SchemaHint("markdown if left out") @Nullable Format format,
      @Nullable String branchId,
      @JsonUnwrapped Whose whose)
      implements Input {}

  /** Writes a session out. */
  public ObjectNode export(Request by, Export input) {
    return input.format() == Format.JSON
        ? sessions.read(by, input, EXPORT, it -> content("json", it.toPrettyString()))
        : sessions.read(by, input, "export_markdown", it -> it.put("format", "markdown"));
  }

  private static ObjectNode content(String format, String content) {
    return Json.object().put("format", format).put("content", content);
  }

  /** What {@code visualize} draws. */
  public enum Graph {
    MERMAID,
    ASCII
  }

  public record Visualize(
      @SchemaHint("mermaid if left out") @Nullable Graph format,
      @SchemaHint("Numbers alone if left out") @Nullable Boolean showContent,
      @JsonUnwrapped Whose whose)
      implements Input {}

  /** Draws a session. */
  public ObjectNode visualize(Request by, Visualize input) {
    boolean text = requireNonNullElse(input.showContent(), false);
    return input.format() == Graph.ASCII
        ? sessions.read(by, input, "visualize_ascii", it -> it.put("format", "ascii"))
        : sessions.read(by, input, EXPORT, it -> content("mermaid", Drawing.mermaid(it, text)));
  }

  public record Load(
      @Nullable String id,
      @SchemaHint("What export gave, in place of id") @Nullable String json,
      @JsonUnwrapped Whose whose)
      implements Input {}

  /** Goes on with a session, which may come as it was exported. */
  public ObjectNode load(Request by, Load input) {
    if ((input.id() == null) == (input.json() == null)) {
      throw Refused.invalid("id must be given, or json: one of them");
    }
    JsonNode train = input.json() == null ? null : parsed(input.json());
    return Refused.orWritten(
        sessions.database(),
        tx -> {
          String id = train == null ? String.valueOf(input.id()) : store(tx, by, train);
          Place at = Sessions.sit(tx, by, id);
          tx.update(
              "update session set status = 'active' where id = ? and status = 'archived'", id);
          ObjectNode answer = Sessions.found(tx, "session_load", Json.object().put("id", id));
          return at.answer().setAll(answer.put("loadedAt", by.at().toEpochMilli()));
        });
  }

  /** Reads what {@code export} gave, or the original's, which has no session. */
  private static JsonNode parsed(String json) {
    JsonNode train;
    try {
      train = Json.parse(json);
    } catch (MalformedJsonException e) {
      throw Refused.invalid("json %s", e.getMessage());
    }
    JsonNode branches = train.path("branches");
    branches.fieldNames().forEachRemaining(id -> Thoughts.requireName("branchId", id));
    int number = 0;
    for (JsonNode it : train.path("thoughtHistory")) {
      number++;
      JsonNode branch = it.path("branchId");
      if (it.path("thoughtNumber").asInt() != number
          || !it.path("thought").isTextual()
          || it.path("thought").asText().length() > Place.MAX_LENGTH
          || !isBelow(it.path("revisesThought"), 1, number)
          || !isBelow(it.path("branchFromThought"), 0, number)
          || !(branch.isMissingNode() || branches.has(branch.asText()))) {
        throw Refused.invalid(
            "json.thoughtHistory[%d] isn't thought %d as the export of a whole session gives it",
            number - 1, number);
      }
    }
    if (!train.path("thoughtHistory").isArray()
        || number > Place.MAX_THOUGHTS + 1 // its conclusion
        || !branches.isObject()
        || branches.has(Place.MAIN)
        || !StreamSupport.stream(branches.spliterator(), false).allMatch(JsonNode::isObject)
        || branches.size() > Thoughts.MAX_BRANCHES) {
      throw Refused.invalid(
          "json must have a thoughtHistory of at most %d thoughts, and at most %d branches",
          Place.MAX_THOUGHTS, Thoughts.MAX_BRANCHES);
    }
    return train;
  }

  private static boolean isBelow(JsonNode number, int least, int end) {
    return number.isMissingNode()
        || (number.isInt() && number.asInt() >= least && number.asInt() < end);
  }

  /** Stores a session as what it was, or as a new one if that is another by now. */
  private static String store(Transaction tx, Request by, JsonNode train) {
    UUID given = Identifiers.parseUuid(train.at("/session/id").asText());
    String id = String.valueOf(given == null ? UUID.randomUUID() : given);
    if (tx.number("select count(*) from session where id = ?", id) > 0) {
      ObjectNode there = Sessions.found(tx, EXPORT, Json.object().put("session", id));
      if (Stream.of("thoughtHistory", "branches", "isComplete")
          .allMatch(it -> there.path(it).equals(train.path(it)))) {
        return id;
      }
      id = UUID.randomUUID().toString();
    }
    ObjectNode ask = Json.object().put("id", id).put("author", by.author());
    ask.put("at", by.at().toEpochMilli()).put("project", by.project()).set("train", train);
    for (String load : LOADS) {
      tx.update(load, ask.toString());
    }
    ChangeLog.add(tx, by, ChangeLog.Kind.THINKING, id, "import", null);
    return id;
  }
}
