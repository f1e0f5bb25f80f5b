package joshua.horace.exchange;

import static java.util.Comparator.comparingInt;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import joshua.horace.change.ChangeLog;
import joshua.horace.change.Refused;
import joshua.horace.change.Request;
import joshua.horace.change.Request.Scope;
import joshua.horace.document.Documents;
import joshua.horace.document.Edit;
import joshua.horace.document.Format;
import joshua.horace.project.State;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import joshua.network.SchemaHint;
import joshua.state.Classpath;
import joshua.state.Database;
import joshua.state.Job;
import org.jspecify.annotations.Nullable;

/**
 * The import of files into a project: exports of this or of Diverga, Diverga's own files, by their
 * names, and any other as a document. What is there already stays unchanged, so it can be repeated.
 */
public record Import(Database database, Documents documents) {
  private static final String CHECKPOINT = Classpath.read(Import.class, "import_checkpoint.sql");
  private static final String DECISION = Classpath.read(Import.class, "import_decision.sql");
  private static final String NUMBER = Classpath.read(Import.class, "import_number.sql");
  private static final String LINKS = Classpath.read(Import.class, "import_links.sql");
  private static final String THERE =
      """
      select decision_id from decision where project = ?1 and selected = ?2
        and ?3 in (decision_id, metadata ->> '$.imported_as') order by decision_id <> ?3
      """;
  private static final Pattern SCRATCHPAD = Pattern.compile("^(?:.*/)?scratchpad/([^/]+)/([^/]+)/");
  private static final Set<String> ONCE =
      Set.of("project-state.yaml", "priority-context.md", "agent-prerequisite-map.json");

  /** A file of the user's. */
  public record File(String path, String content) {}

  public record Input(
      @SchemaHint(
              value = "Relative paths and contents",
              example = "[{\"path\":\"a.md\",\"content\":\"x\"}]",
              min = 1,
              max = 10_000)
          List<File> files,
      @SchemaHint("Say what would be imported, and change nothing") @Nullable Boolean dryRun,
      @JsonUnwrapped Scope scope)
      implements Request.Input {}

  /** What is to be there; adding it says whether it wasn't. */
  private record Item(String kind, String name, Job<Boolean> add) {}

  /** What is read; {@code ids} will have those of decisions that have others here. */
  private record Taken(List<Item> items, ArrayNode unread, ObjectNode ids) {}

  public ObjectNode take(Request by, Input input) {
    Set<String> ids =
        input.files().stream()
            .flatMap(file -> SCRATCHPAD.matcher(file.path()).results())
            .map(found -> found.group(2))
            .collect(Collectors.toSet());
    Taken taken = new Taken(new ArrayList<>(), Json.object().arrayNode(), Json.object());
    for (File file : input.files().stream().sorted(comparingInt(Import::rank)).toList()) {
      attempt(
          taken.unread(),
          file.path(),
          () -> {
            requireForm(
                !ONCE.contains(name(file))
                    || input.files().stream().noneMatch(it -> isBetter(it, file)),
                "that of research/ counts, or else that of .research/");
            Taken its = new Taken(new ArrayList<>(), taken.unread(), taken.ids());
            read(by, file, its, ids.size() > 1);
            taken.items().addAll(its.items());
          });
    }
    boolean dry = requireNonNullElse(input.dryRun(), false);
    return database.write(tx -> {
      Map<String, Integer> imported = new TreeMap<>();
      ArrayNode skipped = taken.unread().deepCopy();
      int unchanged = 0;
      tx.update("savepoint import");
      long before = tx.number("select coalesce(max(seq), 0) from decision");
      for (Item item : taken.items()) {
        try {
          if (item.add().run(tx)) {
            imported.merge(item.kind(), 1, Integer::sum);
          } else {
            unchanged++;
          }
        } catch (Refused e) {
          skip(skipped, item.name(), e); // somebody has a lock on it
        }
      }
      tx.update(LINKS, by.project(), before, taken.ids().toString());
      if (!imported.isEmpty()) {
        ChangeLog.add(tx, by, ChangeLog.Kind.PROJECT, by.project(), "import", null);
      }
      tx.update(dry ? "rollback to import" : "release import");
      ObjectNode answer = by.answer().set("imported", Json.mapper().valueToTree(imported));
      answer.set("renamed", taken.ids());
      return answer.put("unchanged", unchanged).put("dry_run", dry).set("skipped", skipped);
    });
  }

  /** Reads something; if it is refused, that is named, and others go on. */
  private static void attempt(ArrayNode unread, String path, Runnable read) {
    try {
      read.run();
    } catch (Refused e) {
      skip(unread, path, e);
    }
  }

  private static void skip(ArrayNode skipped, String path, Refused why) {
    skipped.addObject().put("path", path).put("why", why.refusal().message());
  }

  private static String name(File file) {
    return file.path().substring(file.path().lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
  }

  private static boolean isBetter(File one, File other) {
    return name(one).equals(name(other)) && rank(one) > rank(other);
  }

  /** Files that come later win: those of research/ over .research/ over the root. */
  private static int rank(File file) {
    return file.path().startsWith("research/") ? 2 : file.path().startsWith(".research/") ? 1 : 0;
  }

  /** Adds what a file has, or refuses it. */
  private void read(Request by, File file, Taken taken, boolean withIds) {
    String name = name(file);
    Format format = Format.of(name);
    JsonNode data = format.hasData() ? format.read(file.path(), file.content()) : Json.object();
    switch (name) {
      case "checkpoints.yaml" -> {
        JsonNode stages = data.path("checkpoints");
        requireForm(stages.isObject(), "checkpoints must be an object of arrays");
        stages
            .fieldNames()
            .forEachRemaining(stage ->
                list(stages, stage).forEach(each -> taken.items().add(checkpoint(by, each))));
      }
      case "decision-log.yaml" ->
          list(data, "decisions")
              .forEach(each -> taken.items().add(decision(by, each, taken.ids())));
      case "project-state.yaml" -> taken.items().add(state(by, data));
      case "priority-context.md" -> taken.items().add(document(by, State.PRIORITY, file.content()));
      case "agent-prerequisite-map.json" ->
          taken.items().add(document(by, Documents.AGENTS, Format.JSON.print(data)));
      case "agents.json", "messages.json" -> throw Refused.invalid("mail is Dewey's");
      default -> {
        if ((data.has("project_state") && data.has("decisions"))
            || data.at("/joshua/documents").isObject()) {
          readExport(by, file.path(), data, taken);
        } else if (name.endsWith(".lock") || name.endsWith(".tmp")) {
          throw Refused.invalid("it is a lock or a temporary file");
        } else {
          taken.items().add(document(by, path(file.path(), withIds), file.content()));
        }
      }
    }
  }

  /** Adds what an export has, which may be a part of one. */
  private void readExport(Request by, String file, JsonNode data, Taken taken) {
    if (data.has("project_state")) {
      attempt(taken.unread(), file, () -> taken.items().add(state(by, data.path("project_state"))));
    }
    if (data.has("decisions")) {
      list(data, "decisions").forEach(each -> taken.items().add(decision(by, each, taken.ids())));
    }
    if (data.has("checkpoints")) {
      list(data, "checkpoints").forEach(each -> taken.items().add(checkpoint(by, each)));
    }
    String priority = data.path("priority_context").asText();
    if (!priority.isEmpty()) {
      taken.items().add(document(by, State.PRIORITY, priority));
    }
    data.at("/joshua/documents")
        .properties()
        .forEach(each ->
            attempt(
                taken.unread(),
                each.getKey(),
                () -> {
                  JsonNode content = each.getValue().path("content");
                  requireForm(content.isTextual(), "it must have a content");
                  Format format = Format.of(each.getKey(), each.getValue().path("format").asText());
                  taken.items().add(document(by, each.getKey(), format, content.asText()));
                }));
  }

  private static void requireForm(boolean holds, String rule) {
    if (!holds) {
      throw Refused.invalid("%s", rule);
    }
  }

  private static JsonNode list(JsonNode data, String member) {
    requireForm(data.path(member).isArray(), member + " must be an array");
    return data.path(member);
  }

  /** The path of a document: of {@code scratchpad/SECTION/ID/…} without the id, if all have it. */
  private static String path(String file, boolean withId) {
    return SCRATCHPAD.matcher(file).replaceFirst(withId ? "$1/$2/" : "$1/");
  }

  private Item document(Request by, String path, String content) {
    return document(by, path, Format.of(path), content);
  }

  private Item document(Request by, String path, Format format, String content) {
    documents.require(by, path, format, content);
    return new Item(
        "documents", path, tx -> isNew(documents.overwrite(tx, by, path, format, content, null)));
  }

  private static boolean isNew(ObjectNode written) {
    return !written.has("unchanged");
  }

  private Item state(Request by, JsonNode given) {
    long seen = documents.about(by.project(), Documents.STATE).path("version").asLong();
    JsonNode now = documents.data(by.project(), Documents.STATE);
    ObjectNode merged = now instanceof ObjectNode object ? object.deepCopy() : Json.object();
    requireForm(given.isObject(), "the project's state must be an object");
    Edit.deepMerge(merged, (ObjectNode) given);
    String content = Format.JSON.print(merged);
    if (!now.isMissingNode()) { // or else it may begin in any phase
      documents.require(by, Documents.STATE, Format.JSON, content);
    }
    return new Item(
        "state",
        Documents.STATE,
        tx ->
            !merged.isEmpty()
                && !merged.equals(now)
                && isNew(documents.overwrite(tx, by, Documents.STATE, Format.JSON, content, seen)));
  }

  private static Item checkpoint(Request by, JsonNode given) {
    requireText(given, "checkpoint_id", ".+");
    String ask = ask(by, given, "completed_at");
    return new Item("checkpoints", "", tx -> tx.update(CHECKPOINT, ask) > 0);
  }

  private static Item decision(Request by, JsonNode given, ObjectNode ids) {
    requireText(given, "decision_id", "DEV_[0-9]{1,9}");
    requireText(given, "selected", "(?s).+");
    requireText(given, "version", "[0-9]{0,9}");
    String id = given.path("decision_id").asText();
    String selected = given.path("selected").asText();
    String ask = ask(by, given, "timestamp");
    return new Item(
        "decisions",
        "",
        tx -> {
          Optional<String> there = tx.row(String.class, THERE, by.project(), selected, id);
          String here = there.or(() -> tx.row(String.class, DECISION, ask)).orElseThrow();
          if (!here.equals(id)) {
            ids.put(id, here);
          }
          return there.isEmpty() && tx.update(NUMBER, by.project()) > 0;
        });
  }

  private static void requireText(JsonNode given, String member, String pattern) {
    requireForm(
        given.path(member).asText().matches(pattern),
        "each must have %s like %s".formatted(member, pattern));
  }

  /** What statements know as {@code :ask}: what is given, values as text, and where it goes. */
  private static String ask(Request by, JsonNode given, String time) {
    ObjectNode ask = Json.object().put("author", by.author());
    given
        .propertyStream()
        .filter(it -> !it.getValue().isNull())
        .forEach(it -> {
          JsonNode value = it.getValue();
          ask.set(it.getKey(), value.isValueNode() ? TextNode.valueOf(value.asText()) : value);
        });
    String text = given.path(time).asText();
    Instant at = text.isEmpty() ? by.at() : Timestamps.parse(text);
    requireForm(at != null, "%s %s".formatted(time, Timestamps.RULE));
    return ask.put("project", by.project())
        .put("at", Objects.requireNonNull(at).toEpochMilli())
        .toString();
  }
}
