package joshua.thought.langchain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonEnumSchema;
import dev.langchain4j.model.chat.request.json.JsonIntegerSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.kernel.UnicodeText;
import joshua.state.query.NamedQueries;
import joshua.state.query.NamedQueries.Result;
import joshua.state.query.NamedQuery;
import joshua.state.query.QueryAnswer;
import joshua.state.query.QueryArgument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only tools of a model: the service's queries (REQ-FD-10). Other calls are refused, and
 * logged. Rows are data, between marks that they can't forge.
 */
final class QueryTools {
  /** The beginning of anything that could be mistaken for a mark. */
  private static final Pattern MARK =
      Pattern.compile("<(?=\\s*+/?+\\s*+data)", Pattern.CASE_INSENSITIVE);

  private static final int MAX_LOGGED = 100;
  private static final Logger log = LoggerFactory.getLogger(QueryTools.class);

  private final NamedQueries queries;

  QueryTools(NamedQueries queries) {
    this.queries = queries;
  }

  List<ToolSpecification> all() {
    return queries.all().stream().map(QueryTools::tool).toList();
  }

  private static ToolSpecification tool(NamedQuery query) {
    JsonObjectSchema.Builder arguments = JsonObjectSchema.builder().additionalProperties(false);
    query.arguments().forEach(each -> arguments.addProperty(each.name(), schema(each)));
    return ToolSpecification.builder()
        .name(query.name())
        .description(query.meaning())
        .parameters(arguments.build())
        .build();
  }

  private static JsonSchemaElement schema(QueryArgument argument) {
    return switch (argument.type()) {
      case CHOICE ->
          JsonEnumSchema.builder()
              .enumValues(argument.choices())
              .description(argument.meaning())
              .build();
      case NUMBER -> JsonIntegerSchema.builder().description(argument.meaning()).build();
      case NAME, CHANNEL, ID, TEXT, TIME ->
          JsonStringSchema.builder()
              .description("%s (%s)".formatted(argument.meaning(), argument.form()))
              .build();
    };
  }

  /** Runs a query for a model; the answer has {@code room} tokens at most. */
  String run(
      ToolExecutionRequest request,
      Optional<String> scope,
      int room,
      Consumer<QueryAnswer> evidence) {
    ObjectNode arguments;
    try {
      String given = request.arguments() == null ? "" : request.arguments();
      arguments = given.isBlank() ? Json.object() : (ObjectNode) Json.parse(given);
    } catch (Json.MalformedJsonException | ClassCastException e) {
      return refused(request, "The arguments must be a JSON object.");
    }
    return switch (queries.ask(String.valueOf(request.name()), arguments, scope, false)) {
      case Result.Refused(var refusal) -> refused(request, refusal.message());
      case Result.Answered(QueryAnswer found) -> {
        evidence.accept(found);
        yield data(found, room);
      }
    };
  }

  private static String refused(ToolExecutionRequest request, String why) {
    String call = "%s %s".formatted(request.name(), request.arguments());
    String line = call.replaceAll("\\p{Cntrl}+", " ");
    log.warn("refused what a model asked for, {}: {}", UnicodeText.truncate(line, MAX_LOGGED), why);
    return "Refused: " + why;
  }

  private static String data(QueryAnswer found, int room) {
    String json = Json.mapper().valueToTree(found.rows()).toString();
    String rows = MARK.matcher(json).replaceAll("‹");
    long tokens = Models.tokens(rows);
    String all =
        tokens <= room
            ? rows
            : UnicodeText.truncate(rows, (int) (rows.length() * (long) room / tokens))
                + "… (cut: there is no room for more)";
    String sentences =
        Stream.concat(Stream.of(found.sentence()), found.caveats().stream())
            .collect(Collectors.joining(" "));
    return "%s\n<data>\n%s\n</data>".formatted(sentences, all);
  }
}
