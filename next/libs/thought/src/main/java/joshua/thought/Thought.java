package joshua.thought;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import joshua.state.query.NamedQueries;
import joshua.state.query.NamedQueries.Result;
import joshua.state.query.NamedQuery;
import joshua.state.query.QueryAnswer;

/** How a service answers prompts: what can be read is a query of its state (+FD-11, +FD-12). */
public final class Thought {
  private final Router router;
  private final NamedQueries queries;
  private final String service;

  public Thought(Router router, NamedQueries queries, String service) {
    this.router = router;
    this.queries = queries;
    this.service = service;
  }

  /** What a prompt means; quick, and asks nobody. */
  public Reading read(String prompt, String asker) {
    return router.read(prompt, asker);
  }

  /**
   * Answers what has been read.
   *
   * @param onlyOf whose rows alone may be shown; empty for anybody's
   * @param text takes the text, piece by piece
   * @throws NotAnsweredException with a sentence for the asker
   */
  public Answer answer(Reading reading, Optional<String> onlyOf, Consumer<String> text)
      throws NotAnsweredException {
    return switch (reading) {
      case Reading.Help help -> {
        text.accept(help());
        yield Answer.read("help");
      }
      case Reading.Ask(NamedQuery query, ObjectNode arguments) ->
          switch (queries.ask(query.name(), arguments, onlyOf)) {
            case Result.Answered(QueryAnswer answer) -> {
              text.accept(AnswerText.of(answer));
              yield Answer.read(new Reading.Ask(query, answer.arguments()).command()).with(answer);
            }
            case Result.Refused(var refusal) -> throw new NotAnsweredException(refusal.message());
          };
      case Reading.Unread(List<String> suggestions) ->
          throw new NotAnsweredException(
              "This needs a model, which %s doesn't have yet. It answers commands; the nearest are: %s."
                      .formatted(service, String.join(", ", suggestions))
                  + " All of them: help.");
    };
  }

  private String help() {
    return queries.all().stream()
        .map(NamedQuery::help)
        .collect(
            Collectors.joining(
                "\n",
                "Ask in plain words (what failed today?), or by commands (me is you):\n",
                ""));
  }
}
