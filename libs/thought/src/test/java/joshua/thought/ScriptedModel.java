package joshua.thought;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/** A model that follows a test's script, request by request. */
public final class ScriptedModel implements LanguageModel {
  /** The model's response to one request. */
  public interface Act {
    ModelCompletion on(ModelRequest request, TokenListener listener)
        throws ModelFailedException, InterruptedException;
  }

  private final Deque<Act> acts = new ArrayDeque<>();
  private final List<ModelRequest> requests = new ArrayList<>();

  /** A model with these responses, each used once. */
  public static ScriptedModel of(Act... acts) {
    ScriptedModel model = new ScriptedModel();
    model.acts.addAll(Arrays.asList(acts));
    return model;
  }

  /** Streams these tokens, then is done. */
  public static Act says(String... tokens) {
    return ends(ModelCompletion.Finish.DONE, tokens);
  }

  public static Act ends(ModelCompletion.Finish finish, String... tokens) {
    return (request, listener) -> {
      for (String token : tokens) {
        listener.token(token);
      }
      return new ModelCompletion(
          String.join("", tokens), List.of(), finish, new AnswerUsage(10, tokens.length, 1, 5));
    };
  }

  /** Requests one query. */
  public static Act asks(String name, String arguments) {
    return asks(1, name, arguments);
  }

  /** Requests the same query several times at once. */
  public static Act asks(int times, String name, String arguments) {
    return (request, listener) ->
        new ModelCompletion(
            "",
            IntStream.range(0, times)
                .mapToObj(i -> new ToolRequest("call-" + i, name, arguments))
                .toList(),
            ModelCompletion.Finish.TOOLS,
            new AnswerUsage(10, 1, 1, 5));
  }

  public static Act fails(ModelFailedException.Kind kind) {
    return (request, listener) -> {
      throw new ModelFailedException(kind, "scripted at nowhere was asked and failed.", null, null);
    };
  }

  public List<ModelRequest> requests() {
    return List.copyOf(requests);
  }

  @Override
  public String name() {
    return "scripted";
  }

  @Override
  public String provider() {
    return "test";
  }

  @Override
  public ModelCompletion complete(ModelRequest request, TokenListener listener)
      throws ModelFailedException, InterruptedException {
    requests.add(request);
    Act act = acts.poll();
    if (act == null) {
      throw new AssertionError("a request too many: " + request.messages().getLast());
    }
    return act.on(request, listener);
  }
}
