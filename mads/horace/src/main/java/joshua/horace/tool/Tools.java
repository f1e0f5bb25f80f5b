package joshua.horace.tool;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import joshua.horace.change.Announcer;
import joshua.horace.change.Answer;
import joshua.horace.change.Request;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.kernel.SpellingSuggestion;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.service.ServiceContext;
import joshua.state.Database;
import joshua.state.Pulse;
import joshua.state.query.NamedQuery;
import org.jspecify.annotations.Nullable;

/** The making of tools: each knows who calls it, of which project, and answers an open object. */
final class Tools {
  private static final String LIMIT = "limit";
  private static final int DEFAULT_LIMIT = 100;
  private static final int BESIDE_ROWS = 500;
  private static final List<String> JSON = List.of("alternatives", "metadata"); // columns

  private final ServiceContext context;
  private final Database database;
  private final Pulse changes;
  private final Announcer announcer;
  private final String usualProject;
  private final Runnable begin;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  /**
   * The making of tools.
   *
   * @param usualProject that of calls that name none
   * @param begin makes that project, if it isn't there
   */
  Tools(
      ServiceContext context,
      Database database,
      Pulse changes,
      Announcer announcer,
      String usualProject,
      Runnable begin) {
    this.context = context;
    this.database = database;
    this.changes = changes;
    this.announcer = announcer;
    this.usualProject = usualProject;
    this.begin = begin;
  }

  /** The work of a tool; it may block. */
  @FunctionalInterface
  interface Work<I> {
    ToolResult of(Request by, I input) throws InterruptedException;
  }

  /** A tool that changes something. */
  <I extends Record & Request.Input> Tool<I> changes(
      String name, String description, Class<I> input, Work<I> work) {
    return tool(name, description, input, Role.OPERATOR, false, work);
  }

  /** A tool that changes nothing. */
  <I extends Record & Request.Input> Tool<I> reads(
      String name, String description, Class<I> input, Work<I> work) {
    return tool(name, description, input, Role.VIEWER, true, work);
  }

  /**
   * A tool that answers the rows of a query, whose parameters are its input's members. Where there
   * are more than the limit, or than the caller has room for, {@code next} has the first column of
   * the last row, behind which the others are.
   */
  <I extends Record & Request.Input> Tool<I> rows(
      String name, String description, Class<I> input, String member, String query) {
    NamedQuery rows = NamedQuery.load(Tools.class, query);
    return reads(
        name,
        description,
        input,
        (by, given) -> {
          ObjectNode members = Json.mapper().valueToTree(given);
          if (members.remove("filters") instanceof ObjectNode filters) {
            members.setAll(filters);
          }
          int limit = members.path(LIMIT).asInt(DEFAULT_LIMIT);
          members.put("project", by.project()).put(LIMIT, limit + 1);
          List<ObjectNode> all = rows.rows(database, parameter -> value(members.path(parameter)));
          ObjectNode answer = Json.object().put("project", by.project());
          fit(answer, member, all, limit, by.room());
          return Answer.of(answer);
        });
  }

  private static @Nullable Object value(JsonNode member) {
    return switch (member.getNodeType()) {
      case NUMBER -> member.longValue();
      case STRING, BOOLEAN -> member.asText();
      default -> null;
    };
  }

  /** Adds the rows for which there is room, at least one. */
  private static void fit(
      ObjectNode answer, String member, List<ObjectNode> rows, int limit, int room) {
    ArrayNode shown = answer.putArray(member);
    int left = room - BESIDE_ROWS;
    for (ObjectNode row : rows) {
      left -= Json.bytes(row).length;
      if (shown.size() == limit || (left < 0 && !shown.isEmpty())) {
        answer.set("next", shown.get(shown.size() - 1).elements().next());
        return;
      }
      row.properties().removeIf(column -> column.getValue().isNull());
      JSON.stream()
          .filter(row::has)
          .forEach(it -> row.set(it, Json.parseTrusted(row.get(it).asText().getBytes(UTF_8))));
      shown.add(row);
    }
  }

  private <I extends Record & Request.Input> Tool<I> tool(
      String name, String description, Class<I> input, Role role, boolean reads, Work<I> work) {
    String words = name.replace('_', ' ');
    return new Tool<>(
        name,
        words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1),
        description,
        input,
        Answer.class,
        Tool.Audience.MODEL,
        role,
        reads ? ToolHints.READS : new ToolHints(false, true, false, false),
        (given, call) -> begin(given, call, reads, work));
  }

  private <I extends Request.Input> CompletableFuture<ToolResult> begin(
      I input, ToolCall call, boolean reads, Work<I> work) {
    Optional<String> identity = call.caller().identity();
    String author = Objects.requireNonNullElse(input.clientId(), identity.orElse(Request.NOBODY));
    Optional<Refusal> forbidden =
        input.clientId() == null
            ? Optional.empty()
            : context.access().refuseActingAs(call.caller(), "client_id", author);
    if (forbidden.isPresent()) {
      return ToolResult.refused(forbidden.get());
    }
    Request by =
        new Request(
            author,
            Objects.requireNonNullElse(input.project(), usualProject),
            call.correlationId(),
            context.time().instant(),
            call.context().preferredMaxBytes(),
            announcer.told(),
            call.context().sessionId());
    return call.runBlocking(() -> {
      Optional<Refusal> unknown =
          input.isAboutNewProject() ? Optional.empty() : refuseProject(by.project());
      if (unknown.isPresent()) {
        return new ToolResult.Refused(unknown.get());
      }
      ToolResult result = work.of(by, input);
      if (!reads) {
        changes.changed();
      }
      return result;
    });
  }

  private Optional<Refusal> refuseProject(String project) {
    if (known.contains(project)) {
      return Optional.empty();
    }
    if (project.equals(usualProject)) {
      begin.run();
    }
    known.addAll(database.read(tx -> tx.rows(String.class, "select id from project")));
    String near =
        SpellingSuggestion.nearest(project, known).map(" (did you mean %s?)"::formatted).orElse("");
    String sentence =
        "There is no project %s%s; project_create makes one.".formatted(project, near);
    return known.contains(project)
        ? Optional.empty()
        : Optional.of(Refusal.of(ErrorCode.NOT_FOUND, sentence));
  }
}
