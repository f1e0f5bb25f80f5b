package joshua.horace.tool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import joshua.horace.change.Announcer;
import joshua.horace.change.Refused;
import joshua.horace.change.Request;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.kernel.SpellingSuggestion;
import joshua.network.RawJson;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.service.ServiceContext;
import joshua.state.Classpath;
import joshua.state.Database;
import joshua.state.Pulse;
import joshua.state.query.NamedQuery;
import org.jspecify.annotations.Nullable;

/**
 * The making of tools: each knows who calls it, of which project, and answers an open object.
 *
 * @param usualProject that of calls that name none
 * @param begin makes that project, if it isn't there
 * @param known the projects that are there
 */
record Tools(
    ServiceContext context,
    Database database,
    Pulse changes,
    Announcer announcer,
    String usualProject,
    Runnable begin,
    Set<String> known) {
  private static final String LIMIT = "limit";
  private static final int DEFAULT_LIMIT = 100;
  private static final Map<String, String> DESCRIPTIONS =
      Classpath.read(Tools.class, "descriptions.txt")
          .lines()
          .map(line -> line.split(": ", 2))
          .collect(Collectors.toMap(line -> line[0], line -> line[1]));
  private static final List<String> JSON = List.of("alternatives", "metadata"); // columns

  /** The output of tools, which have more members than this. */
  private record Answer(String status) {}

  /** The work of a tool; it may block. */
  @FunctionalInterface
  interface Work<I> {
    ObjectNode of(Request by, I input) throws InterruptedException;
  }

  /** A tool that changes something. */
  <I extends Record & Request.Input> Tool<I> changes(String name, Class<I> input, Work<I> work) {
    Work<I> told =
        (by, given) -> {
          ObjectNode answer = work.of(by, given);
          changes.changed();
          return answer;
        };
    return tool(name, input, Role.OPERATOR, new ToolHints(false, true, false, false), told);
  }

  /** A tool that changes nothing. */
  <I extends Record & Request.Input> Tool<I> reads(String name, Class<I> input, Work<I> work) {
    return tool(name, input, Role.VIEWER, ToolHints.READS, work);
  }

  /**
   * A tool that answers the rows of a query, whose parameters are its input's members. Where there
   * are more than the limit, or than the caller has room for, {@code next} has the first column of
   * the last row, behind which the others are.
   */
  <I extends Record & Request.Input> Tool<I> rows(
      String name, Class<I> input, String member, String query) {
    return reads(name, input, rowsOf(member, query));
  }

  /** The work of such a tool. */
  <I extends Request.Input> Work<I> rowsOf(String member, String query) {
    NamedQuery rows = NamedQuery.load(Tools.class, query);
    return (by, given) -> {
      ObjectNode members = Json.mapper().valueToTree(given);
      if (members.remove("filters") instanceof ObjectNode filters) {
        members.setAll(filters);
      }
      int limit = members.path(LIMIT).asInt(DEFAULT_LIMIT);
      members.put("project", by.project()).put(LIMIT, limit + 1);
      List<ObjectNode> all = rows.rows(database, parameter -> value(members.path(parameter)));
      all.forEach(Tools::tidy);
      ObjectNode answer = by.answer();
      if (!all.isEmpty() && all.getFirst().has("total")) {
        all.forEach(row -> answer.set("total", row.remove("total")));
      }
      int shown = by.fit(answer, member, all, limit).size();
      return shown == all.size()
          ? answer
          : answer.set("next", all.get(shown - 1).elements().next());
    };
  }

  private static @Nullable Object value(JsonNode member) {
    return switch (member.getNodeType()) {
      case NUMBER -> member.longValue();
      case STRING, BOOLEAN -> member.asText();
      default -> null;
    };
  }

  /** Leaves out what is null, and makes JSON of what is stored as such. */
  private static void tidy(ObjectNode row) {
    row.properties().removeIf(column -> column.getValue().isNull());
    JSON.stream()
        .filter(row::has)
        .forEach(it -> row.set(it, Json.parseTrusted(row.get(it).asText().getBytes(UTF_8))));
  }

  private <I extends Record & Request.Input> Tool<I> tool(
      String name, Class<I> input, Role role, ToolHints hints, Work<I> work) {
    String words = name.replace('_', ' ');
    return new Tool<>(
        name,
        words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1),
        Objects.requireNonNull(DESCRIPTIONS.get(name), name),
        input,
        Answer.class,
        Tool.Audience.MODEL,
        role,
        hints,
        (given, call) -> begin(given, call, work));
  }

  private <I extends Request.Input> CompletableFuture<ToolResult> begin(
      I input, ToolCall call, Work<I> work) {
    String clientId = input.scope().clientId();
    Optional<String> own = Optional.ofNullable(clientId).or(call.caller()::identity);
    Optional<Refusal> forbidden =
        Optional.ofNullable(clientId)
            .flatMap(it -> context.access().refuseActingAs(call.caller(), "client_id", it));
    if (forbidden.isPresent()) {
      return ToolResult.refused(forbidden.get());
    }
    Request by =
        new Request(
            own.or(call.context()::clientName).orElse("somebody"),
            own.isPresent(),
            requireNonNullElse(input.scope().project(), usualProject),
            call.correlationId(),
            context.time().instant(),
            call.context().preferredMaxBytes(),
            announcer.told(),
            call.caller().connection()::isGone,
            call.context().sessionId());
    return call.runBlocking(() -> {
      if (input.needsProject() && !known.contains(by.project())) {
        requireProject(by.project());
      }
      Answer success = new Answer("success");
      ObjectNode answer = Json.object().put("status", success.status);
      RawJson json = new RawJson(Json.bytes(answer.setAll(work.of(by, input))));
      return new ToolResult.Success(success, json, delivered -> {});
    });
  }

  private void requireProject(String project) {
    if (project.equals(usualProject)) {
      begin.run();
    }
    known.addAll(database.read(tx -> tx.rows(String.class, "select id from project")));
    if (!known.contains(project)) {
      throw Refused.notFound(
          "There is no project %s%s; project_create makes one.",
          project, SpellingSuggestion.question(project, known));
    }
  }
}
