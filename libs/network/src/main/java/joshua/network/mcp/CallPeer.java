package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import joshua.kernel.Json;
import joshua.network.Peer;
import joshua.network.Question;
import joshua.network.Unmet;

/** The client as the tool sees it that runs for it: what is told goes onto the request's stream. */
abstract class CallPeer implements Peer {
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
          stream.send(Rpc.notification("notifications/progress", params));
        });
  }

  @Override
  public void log(Level level, String logger, JsonNode data) {
    if (meta.logLevel().filter(least -> level.compareTo(least) >= 0).isPresent()) {
      ObjectNode params = Json.object().put("level", level.name().toLowerCase(Locale.ROOT));
      params.put("logger", logger).set("data", data);
      stream.send(Rpc.notification("notifications/message", params));
    }
  }

  /** Asks by having the whole request made again, with the answers. */
  static final class Stateless extends CallPeer {
    private final Capabilities capabilities;
    private final Map<String, ObjectNode> given;
    private final Map<String, ObjectNode> used = new LinkedHashMap<>();

    /** A peer that has given these answers already. */
    Stateless(RequestMeta meta, MessageStream stream, Map<String, ObjectNode> given) {
      super(meta, stream);
      this.capabilities = meta.capabilities();
      this.given = given;
    }

    /** The answers that questions were put for; only the thread that runs the tool asks. */
    Map<String, ObjectNode> used() {
      return used;
    }

    @Override
    public boolean answers(String method) {
      return capabilities.answers(method);
    }

    @Override
    public Map<String, ObjectNode> ask(Map<String, Question> questions) {
      Map<String, ObjectNode> answers = new LinkedHashMap<>();
      Map<String, Question> open = new LinkedHashMap<>();
      questions.forEach((key, question) -> {
        ObjectNode answer = given.get(key);
        if (answer != null && Answers.fits(question.method(), answer)) {
          answers.put(key, answer);
        } else {
          open.put(key, question);
        }
      });
      used.putAll(answers);
      for (Question question : open.values()) {
        if (!capabilities.answers(question.method())) {
          throw Unmet.Capability.toAnswer(question.method());
        }
      }
      if (!open.isEmpty()) {
        throw new Unmet.Input(open);
      }
      return answers;
    }

    @Override
    public boolean takesTasks() {
      return capabilities.takesTasks();
    }
  }

  /** Asks by requests of ours, on the request's stream. */
  static final class Legacy extends CallPeer {
    private final Exchange exchange;
    private final PendingAsks asks;

    Legacy(RequestMeta meta, Exchange exchange, PendingAsks asks) {
      super(meta, exchange.stream());
      this.exchange = exchange;
      this.asks = asks;
    }

    /** A client whose {@code initialize} was never seen is asked, and may decline. */
    @Override
    public boolean answers(String method) {
      return exchange.client().capabilities().map(known -> known.answers(method)).orElse(true);
    }

    @Override
    public Map<String, ObjectNode> ask(Map<String, Question> questions)
        throws InterruptedException {
      Map<String, ObjectNode> answers = new LinkedHashMap<>();
      for (Map.Entry<String, Question> one : questions.entrySet()) {
        Question question = one.getValue();
        if (!answers(question.method())) {
          throw Unmet.Capability.toAnswer(question.method());
        }
        answers.put(one.getKey(), asks.ask(question, exchange.caller(), exchange.stream()));
      }
      return answers;
    }

    @Override
    public boolean takesTasks() {
      return false;
    }
  }
}
