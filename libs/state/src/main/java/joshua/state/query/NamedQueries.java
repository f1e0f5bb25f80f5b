package joshua.state.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.kernel.SpellingSuggestion;
import joshua.kernel.Timestamps;
import joshua.network.Access;
import joshua.network.Caller;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.state.Database;
import joshua.state.StoreException;
import org.jspecify.annotations.Nullable;

/** The named queries of a service, the only way to query its state (REQ-FD-10). */
public final class NamedQueries {
  private static final String HELP = "help";
  private static final String REQUESTER = "requester";

  private final Map<String, NamedQuery> queries = new LinkedHashMap<>();
  private final Database database;
  private final InstantSource time;
  private final BiFunction<NamedQuery, ObjectNode, List<String>> caveats;

  public NamedQueries(List<NamedQuery> queries, Database database, InstantSource time) {
    this(queries, database, time, (query, arguments) -> List.of());
  }

  /** {@code caveats} adds caveats to answers, by query and normalized arguments. */
  public NamedQueries(
      List<NamedQuery> queries,
      Database database,
      InstantSource time,
      BiFunction<NamedQuery, ObjectNode, List<String>> caveats) {
    this.time = time;
    queries.forEach(query -> this.queries.put(query.name(), query));
    this.database = database;
    this.caveats = caveats;
  }

  public List<NamedQuery> all() {
    return List.copyOf(queries.values());
  }

  /** The result of a query. */
  public sealed interface Result {
    record Answered(QueryAnswer answer) implements Result {}

    record Refused(Refusal refusal) implements Result {}
  }

  /** The tool {@code SERVICE_query}. */
  public Tool<Input> tool(String service) {
    String list =
        queries.values().stream()
            .map(
                query -> "%s: %s".formatted(query.name(), query.meaning().split("(?<=\\.) ", 2)[0]))
            .collect(Collectors.joining("\n"));
    boolean hasSpans = queries.values().stream().anyMatch(it -> it.argument("since").isPresent());
    String spans = hasSpans ? "; most take since and until, which are times, and limit" : "";
    return new Tool<>(
        service + "_query",
        "Query the state",
        "Runs one of these queries of the service's state and returns its rows. The query help lists"
            + " the arguments of all%s.\n".formatted(spans)
            + list,
        Input.class,
        QueryAnswer.class,
        Tool.Audience.MODEL,
        Role.VIEWER,
        ToolHints.READS,
        (input, call) -> call.runBlocking(() -> answer(input, call.caller())));
  }

  /** The input of the tool. */
  public record Input(
      @SchemaHint("Of the list above") String name,
      @SchemaHint(example = "{\"limit\":5}") @Nullable ObjectNode arguments) {}

  private ToolResult answer(Input input, Caller caller) {
    ObjectNode arguments = Objects.requireNonNullElseGet(input.arguments(), Json::object);
    boolean readsAll = caller.role().includes(Role.ADMIN);
    return switch (ask(input.name(), arguments, Access.scope(caller), readsAll)) {
      case Result.Answered(QueryAnswer answer) -> new ToolResult.Success(answer);
      case Result.Refused(Refusal refusal) -> new ToolResult.Refused(refusal);
    };
  }

  /**
   * Runs a query; any name and arguments are safe, since nothing but these queries can run.
   *
   * @param scope the only requester to show, in queries with the argument {@code requester}
   * @param readsAll whether the asker may read the direct messages of others
   * @throws StoreException where the database can't be read
   */
  public Result ask(String name, ObjectNode arguments, Optional<String> scope, boolean readsAll) {
    if (name.equals(HELP)) {
      return new Result.Answered(help());
    }
    NamedQuery query = queries.get(name);
    if (query == null) {
      String near = SpellingSuggestion.question(name, queries.keySet());
      String all = String.join(", ", queries.keySet());
      return refused(
          ErrorCode.INVALID_INPUT, "There is no such query%s; there are %s.".formatted(near, all));
    }
    ObjectNode plain = Json.object();
    List<String> cuts = new ArrayList<>();
    Optional<Refusal> refusal = query.read(arguments, plain).or(() -> cutToNow(plain, cuts));
    if (refusal.isPresent()) {
      return new Result.Refused(refusal.get());
    }
    if (scope.isPresent() && query.argument(REQUESTER).isPresent()) {
      if (!plain.path(REQUESTER).asText(scope.get()).equals(scope.get())) {
        return refused(
            ErrorCode.FORBIDDEN, "Viewers see their own alone: leave out arguments.requester.");
      }
      plain.put(REQUESTER, scope.get());
    }
    QueryAnswer answer = query.run(database, plain, readsAll);
    answer.caveats().addAll(cuts);
    answer.caveats().addAll(caveats.apply(query, plain));
    return new Result.Answered(answer);
  }

  private QueryAnswer help() {
    List<ObjectNode> rows = new ArrayList<>();
    for (NamedQuery query : queries.values()) {
      ObjectNode row = Json.object().put("query", query.name()).put("meaning", query.meaning());
      ObjectNode arguments = row.putObject("arguments");
      query
          .arguments()
          .forEach(each -> arguments.put(each.name(), each.form() + ": " + each.meaning()));
      rows.add(row);
    }
    String sentence = "%d queries, with their arguments.".formatted(rows.size());
    return new QueryAnswer("success", HELP, Json.object(), rows, sentence, List.of());
  }

  /** Cuts a span at the present, with a caveat; refuses one that is in the future. */
  private Optional<Refusal> cutToNow(ObjectNode plain, List<String> cuts) {
    Instant now = time.instant();
    for (String begin : List.of("since", "at")) {
      Instant given = Timestamps.parse(plain.path(begin).asText());
      if (given != null && given.isAfter(now)) {
        String rule = "must not be in the future; it is %s now".formatted(Timestamps.format(now));
        return Optional.of(Refusal.invalidInput("arguments." + begin, rule));
      }
    }
    Instant since = Timestamps.parse(plain.path("since").asText());
    Instant until = Timestamps.parse(plain.path("until").asText());
    if (until != null && until.isAfter(now)) {
      cuts.add("until is yet to come: this is what there was until now.");
      plain.put("until", Timestamps.format(now));
    } else if (since != null && until != null && !since.isBefore(until)) {
      String rule = "must be later than since, which is " + Timestamps.format(since);
      return Optional.of(Refusal.invalidInput("arguments.until", rule));
    }
    return Optional.empty();
  }

  private static Result refused(ErrorCode code, String message) {
    return new Result.Refused(Refusal.of(code, message));
  }
}
