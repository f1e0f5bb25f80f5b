package joshua.state.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.network.Access;
import joshua.network.Caller;
import joshua.network.Member;
import joshua.network.Tool;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.state.StoreException;
import joshua.state.query.NamedQueries.Result;
import org.jspecify.annotations.Nullable;

/** {@code X_query}: asks a named query of the service X. */
public final class QueryTool {
  private QueryTool() {}

  /** What it takes. */
  public record Input(
      @Member("Of the list above") String name,
      @Member(example = "{\"limit\":5}") @Nullable ObjectNode arguments) {}

  /** What it answers. */
  public record Output(
      String status,
      String query,
      ObjectNode arguments,
      List<ObjectNode> rows,
      @Member("What the rows say") String sentence,
      List<String> caveats) {
    static Output of(QueryAnswer answer) {
      List<ObjectNode> rows = new ArrayList<>();
      for (JsonNode row : answer.rows()) {
        rows.add((ObjectNode) row);
      }
      return new Output(
          "success", answer.query(), answer.arguments(), rows, answer.sentence(), answer.caveats());
    }
  }

  /** The tool of a service. */
  public static Tool<Input> of(String service, NamedQueries queries) {
    return new Tool<>(
        service + "_query",
        "Query the state",
        "Runs one of these queries of the service's state and returns its rows. since, until and at"
            + " are times; limit is a number of rows.\n"
            + usage(queries),
        Input.class,
        Output.class,
        Tool.Audience.MODEL,
        Role.VIEWER,
        ToolHints.READS,
        (input, call) ->
            call.onThreadOfItsOwn(() -> {
              ObjectNode arguments = Objects.requireNonNullElseGet(input.arguments(), Json::object);
              return switch (answer(queries, input.name(), arguments, call.caller())) {
                case Result.Answered(QueryAnswer answer) ->
                    new ToolResult.Success(Output.of(answer));
                case Result.Refused(var refusal) -> new ToolResult.Refused(refusal);
              };
            }));
  }

  private static String usage(NamedQueries queries) {
    return queries.all().stream()
        .map(query -> "%s: %s".formatted(query.usage(), query.meaning()))
        .collect(Collectors.joining("\n"));
  }

  private static Result answer(
      NamedQueries queries, String name, ObjectNode arguments, Caller caller) {
    try {
      return queries.ask(
          name, arguments, Access.toSeeOnly(caller), caller.role().suffices(Role.ADMIN));
    } catch (StoreException e) {
      return new Result.Refused(e.refusal());
    }
  }
}
