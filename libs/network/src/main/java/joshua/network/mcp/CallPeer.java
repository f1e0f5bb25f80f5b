package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import joshua.kernel.Json;
import joshua.network.CallContext;
import joshua.network.ClientQuestion;
import joshua.network.UnmetRequirementException;

/** The client as the running tool sees it: reports go onto the request's stream. */
abstract class CallPeer implements CallContext {
  private final RequestMeta meta;
  private final MessageStream stream;

  private CallPeer(RequestMeta meta, MessageStream stream) {
    this.meta = meta;
    this.stream = stream;
  }

  @Override
  public void progress(double done, OptionalDouble total, String message) {
    meta.progressToken()
        .ifPresent(token -> {
          ObjectNode params = Json.object();
          params.set("progressToken", token);
          params.put("progress", done);
          total.ifPresent(value -> params.put("total", value));
          if (!message.isEmpty()) {
            params.put("message", message);
          }
          stream.send(JsonRpc.notification("notifications/progress", params));
        });
  }

  @Override
  public void log(Level level, String logger, JsonNode data) {
    if (meta.logLevel().filter(least -> level.compareTo(least) >= 0).isPresent()) {
      ObjectNode params = Json.object().put("level", level.name().toLowerCase(Locale.ROOT));
      params.put("logger", logger).set("data", data);
      stream.send(JsonRpc.notification("notifications/message", params));
    }
  }

  /** Asks by having the whole request repeated, with the answers. */
  static final class Stateless extends CallPeer {
    private final ClientCapabilities clientCapabilities;
    private final Map<String, ObjectNode> given;
    private final Map<String, ObjectNode> used = new LinkedHashMap<>();

    /** A peer that has already given these answers. */
    Stateless(RequestMeta meta, MessageStream stream, Map<String, ObjectNode> given) {
      super(meta, stream);
      this.clientCapabilities = meta.capabilities();
      this.given = given;
    }

    /** The answers to questions that were asked; only the thread that runs the tool asks. */
    Map<String, ObjectNode> used() {
      return used;
    }

    @Override
    public boolean answers(String method) {
      return clientCapabilities.answers(method);
    }

    @Override
    public Map<String, ObjectNode> ask(Map<String, ClientQuestion> questions) {
      Map<String, ObjectNode> answers = new LinkedHashMap<>();
      Map<String, ClientQuestion> open = new LinkedHashMap<>();
      questions.forEach((key, clientQuestion) -> {
        ObjectNode answer = given.get(key);
        if (answer != null && ElicitationAnswers.fits(clientQuestion.method(), answer)) {
          answers.put(key, answer);
        } else {
          open.put(key, clientQuestion);
        }
      });
      used.putAll(answers);
      for (ClientQuestion clientQuestion : open.values()) {
        if (!clientCapabilities.answers(clientQuestion.method())) {
          throw UnmetRequirementException.MissingCapabilityException.toAnswer(
              clientQuestion.method());
        }
      }
      if (!open.isEmpty()) {
        throw new UnmetRequirementException.MissingInputException(open);
      }
      return answers;
    }

    @Override
    public boolean takesTasks() {
      return clientCapabilities.takesTasks();
    }
  }

  /** Asks by requests of ours, on the request's stream. */
  static final class Legacy extends CallPeer {
    private final RequestContext requestContext;
    private final PendingAsks asks;

    Legacy(RequestMeta meta, RequestContext requestContext, PendingAsks asks) {
      super(meta, requestContext.stream());
      this.requestContext = requestContext;
      this.asks = asks;
    }

    /** A client whose {@code initialize} was never seen is asked, and may decline. */
    @Override
    public boolean answers(String method) {
      return requestContext
          .client()
          .capabilities()
          .map(known -> known.answers(method))
          .orElse(true);
    }

    @Override
    public Map<String, ObjectNode> ask(Map<String, ClientQuestion> questions)
        throws InterruptedException {
      Map<String, ObjectNode> answers = new LinkedHashMap<>();
      for (Map.Entry<String, ClientQuestion> one : questions.entrySet()) {
        ClientQuestion clientQuestion = one.getValue();
        if (!answers(clientQuestion.method())) {
          throw UnmetRequirementException.MissingCapabilityException.toAnswer(
              clientQuestion.method());
        }
        answers.put(
            one.getKey(),
            asks.ask(clientQuestion, requestContext.caller(), requestContext.stream()));
      }
      return answers;
    }

    @Override
    public boolean takesTasks() {
      return false;
    }
  }
}
