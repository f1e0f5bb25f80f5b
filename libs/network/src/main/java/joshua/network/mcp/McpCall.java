package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Predicate;
import joshua.kernel.Json;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.mcp.JsonRpc.Request;

/**
 * A request that is worked on, and the way back to its client meanwhile.
 *
 * <p>A client of 2026-07-28 is asked by a result: it repeats its request with the answers, and the
 * call is made again. Others are asked by a request, which they answer by a message of its own.
 */
public final class McpCall implements CallContext {
  /** A model's context is what an answer fills. */
  private static final int COMFORTABLE_BYTES = 24 * 1024;

  private static final Set<String> LEVELS_WITH_INFO = Set.of("debug", "info");
  private static final String META_LOG_LEVEL = "io.modelcontextprotocol/logLevel";

  private final Request request;
  private final boolean modern;
  private final Caller caller;
  private final McpSession session;
  private final Predicate<ObjectNode> toClient;
  private final JsonNode capabilities;
  private ObjectNode answers = Json.object();
  private boolean progressing;
  private double told = Double.NEGATIVE_INFINITY;

  /**
   * A request that has come in.
   *
   * @param modern whether it is of the stateless era
   * @param session of the client; one of its own, if it has none
   * @param toClient sends a message before the response, without waiting; false if too many wait
   */
  public McpCall(
      Request request,
      boolean modern,
      Caller caller,
      McpSession session,
      Predicate<ObjectNode> toClient) {
    this.request = request;
    this.modern = modern;
    this.caller = caller;
    this.session = session;
    this.toClient = toClient;
    this.capabilities =
        modern ? ProtocolVersions.capabilities(request.params()) : session.capabilities();
  }

  Request request() {
    return request;
  }

  ObjectNode params() {
    return request.params();
  }

  boolean isModern() {
    return modern;
  }

  Caller caller() {
    return caller;
  }

  McpSession session() {
    return session;
  }

  /** Sends a notification; false if the client doesn't read. */
  boolean tell(String method, ObjectNode params) {
    return toClient.test(JsonRpc.notification(method, params));
  }

  /** Whether the client wants to know how far the work is. */
  boolean wantsProgress() {
    return !progressToken().isMissingNode();
  }

  private JsonNode progressToken() {
    return params().path("_meta").path("progressToken");
  }

  /** Tells a client that wants progress of a tool that tells none. */
  synchronized void stillWorking() {
    if (!progressing) {
      tellProgress(Math.max(told, 0) + 1, Json.object().put("message", "still working"));
    }
  }

  private void tellProgress(double done, ObjectNode progress) {
    if (done > told && wantsProgress()) {
      told = done;
      progress.put("progress", done).set("progressToken", progressToken());
      tell("notifications/progress", progress);
    }
  }

  @Override
  public int comfortableBytes() {
    return COMFORTABLE_BYTES;
  }

  @Override
  public synchronized void progress(double done, double total, String message) {
    progressing = true;
    tellProgress(done, Json.object().put("total", total).put("message", message));
  }

  @Override
  public void log(String message) {
    String level = modern ? params().path("_meta").path(META_LOG_LEVEL).asText() : session.level();
    if (LEVELS_WITH_INFO.contains(level)) {
      tell("notifications/message", Json.object().put("level", "info").put("data", message));
    }
  }

  @Override
  public boolean answers(Question question) {
    return capabilities.path(question.capability()).isObject();
  }

  @Override
  public Map<String, ObjectNode> ask(Map<String, Question> questions) throws InterruptedException {
    if (!questions.values().stream().allMatch(this::answers)) {
      throw unanswerable(questions.values());
    }
    Map<String, ObjectNode> given = new LinkedHashMap<>();
    ObjectNode missing = Json.object();
    for (Map.Entry<String, Question> asked : questions.entrySet()) {
      String name = asked.getKey();
      Question question = asked.getValue();
      if (!modern) {
        given.put(name, session.ask(question, toClient));
      } else if (answers.get(name) instanceof ObjectNode answer && question.isAnsweredBy(answer)) {
        given.put(name, answer);
      } else {
        missing.putObject(name).put("method", question.method()).set("params", question.params());
      }
    }
    if (!missing.isEmpty()) {
      throw new InputRequiredException(missing);
    }
    return given;
  }

  /** What says which capabilities a client would have to declare to be asked these. */
  private RuntimeException unanswerable(Collection<Question> questions) {
    ObjectNode required = Json.object();
    for (Question question : questions) {
      ObjectNode capability = required.withObjectProperty(question.capability());
      if (question.method().equals("elicitation/create")) {
        capability.putObject("form");
      }
    }
    return modern
        ? RpcError.missingCapabilities(required)
        : new UnansweredException(
            "The client doesn't declare the capabilities %s, without which this can't be done."
                .formatted(required));
  }

  /** Takes what a client answers that repeats its request. */
  void takeAnswers(RequestState states) {
    answers = states.read(request, caller);
    JsonNode more = params().path("inputResponses");
    if (!more.isMissingNode() && !more.isObject()) {
      throw RpcError.invalidParams("params.inputResponses must be an object.");
    }
    more.properties().forEach(answer -> answers.set(answer.getKey(), answer.getValue()));
  }

  /** The result that asks for input. */
  ObjectNode inputRequired(InputRequiredException missing, RequestState states) {
    ObjectNode result = Json.object().put("resultType", "input_required");
    result.set("inputRequests", missing.questions);
    return result.put("requestState", states.write(answers, request, caller));
  }

  /** The client has to answer first. A cancellation, since no tool may take it for a failure. */
  static final class InputRequiredException extends CancellationException {
    private static final long serialVersionUID = 1;

    private final transient ObjectNode questions;

    private InputRequiredException(ObjectNode questions) {
      this.questions = questions;
    }
  }
}
