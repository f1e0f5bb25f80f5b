package joshua.thought;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import joshua.kernel.Json;
import joshua.network.Access;
import joshua.state.query.NamedQueries;
import joshua.state.query.NamedQueries.Result;
import joshua.state.query.NamedQuery;
import joshua.state.query.QueryAnswer;
import joshua.thought.langchain.Imperator;
import joshua.thought.langchain.Models;
import joshua.thought.model.Answer;
import joshua.thought.model.ModelConfig;
import joshua.thought.model.NotAnsweredException;
import joshua.thought.model.Problem;
import joshua.thought.model.Question;

/**
 * The answerer of a service's prompts, in three stages (+FD-11, +FD-12). The decision tree router
 * (DTR) recognizes queries of the service's state; context engineering (CET) assembles the context
 * of a model; the Imperator is the model, with the queries as its tools.
 */
public final class PromptAnswerer implements AutoCloseable {
  private static final int HELP_EXAMPLES = 3;

  private final Router router;
  private final NamedQueries queries;
  private final ModelConfig config;
  private final Models models;
  private final Imperator imperator;
  private final String elsewhere;

  /**
   * See {@link Router} and {@link Imperator} for the other parameters.
   *
   * @param elsewhere a line for askers who aren't understood; may be empty
   */
  public PromptAnswerer(
      NamedQueries queries,
      Predicate<String> isKnownName,
      Access access,
      ModelConfig config,
      String instructions,
      boolean needsEvidence,
      String elsewhere,
      InstantSource time) {
    this.router = new Router(queries.all(), isKnownName, access, time);
    this.queries = queries;
    this.config = config;
    this.elsewhere = elsewhere;
    this.models = new Models(config, time);
    this.imperator = new Imperator(models, config, queries, instructions, needsEvidence, time);
  }

  /** The models that have refused requests since their last answer. */
  public List<Problem> refusals() {
    return models.refusals();
  }

  /** Parses a prompt, quickly and without a model. */
  public ParsedPrompt parse(String prompt, String asker) {
    return router.parse(prompt, asker);
  }

  /** The configured models, as rows of a query. */
  public static List<ObjectNode> models(ModelConfig config) {
    List<ObjectNode> rows = new ArrayList<>();
    for (String name : config.names()) {
      String use = rows.isEmpty() ? "thinks" : "can be asked as well";
      rows.add(Json.object().put("model", name).put("server", config.server()).put("use", use));
    }
    return rows;
  }

  /**
   * Answers a parsed prompt.
   *
   * @param text takes the text, piece by piece
   * @throws NotAnsweredException with a sentence for the asker
   * @throws NotAnsweredException.Suspended if it should be tried again
   * @throws Exception if a model fails; its message is for the asker
   */
  public Answer answer(ParsedPrompt prompt, Question question, Consumer<String> text)
      throws Exception {
    return switch (prompt) {
      case ParsedPrompt.Help help -> {
        text.accept(help());
        yield Answer.withoutModel("help", List.of());
      }
      case ParsedPrompt.Ask(NamedQuery query, ObjectNode arguments) ->
          switch (queries.ask(query.name(), arguments, question.scope(), false)) {
            case Result.Answered(QueryAnswer found) -> {
              text.accept(AnswerText.of(found));
              yield Answer.withoutModel(
                  new ParsedPrompt.Ask(query, found.arguments()).command(),
                  List.of(Answer.Evidence.of(found)));
            }
            case Result.Refused(var refusal) -> throw new NotAnsweredException(refusal.message());
          };
      case ParsedPrompt.Unrecognized(List<NamedQuery> suggestions) -> {
        if (config.isNone()) {
          throw new NotAnsweredException(
              "No command is meant by this; commands look things up, and change nothing. The nearest are:\n"
                  + suggestions.stream()
                      .map(query ->
                          suggestions.size() == 1
                              ? query.help()
                              : "%s: %s".formatted(query.name(), query.meaning()))
                      .collect(Collectors.joining("\n"))
                      .indent(2)
                  + "  help: All that can be asked.\n"
                  + elsewhere
                  + "Anything else needs a model, and none is configured: set %1$sPROVIDER (openai, anthropic or ollama), %1$sNAME, and %1$sAPI_KEY_FILE where it wants a key, and start again."
                      .formatted(config.prefix()));
        }
        yield imperator.answer(question, text);
      }
    };
  }

  /** Sends a prompt unchanged to a model; otherwise as {@link #answer}. */
  public Answer send(String model, String prompt, Consumer<String> text) throws Exception {
    return models.send(model, prompt, text);
  }

  private String help() {
    String examples =
        queries.all().stream()
            .flatMap(query -> query.example().stream())
            .limit(HELP_EXAMPLES)
            .collect(Collectors.joining("\n  ", "Ask in plain words:\n  ", "\n"));
    return queries.all().stream()
        .map(NamedQuery::help)
        .collect(Collectors.joining("\n", examples + "or by commands (me is you):\n", ""));
  }

  @Override
  public void close() {
    models.close();
  }
}
