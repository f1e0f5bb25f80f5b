package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.Predicate;
import joshua.kernel.Json;
import joshua.network.AddressDefaults;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.mcp.JsonRpc.Request;

/**
 * A request that is worked on, and the way back to its client meanwhile.
 *
 * <p>A client of 2026-07-28 is asked by a result: it repeats its request with the answers, and the
 * call is made again. Others are asked by a request, which they answer by a message of its own.
 */
record McpCall(
    Request request,
    boolean isModern,
    Caller caller,
    McpSession session,
    Predicate<ObjectNode> toClient,
    RequestState states,
    Progress progress)
    implements CallContext {
  /** A model's context is what an answer fills. */
  private static final int COMFORTABLE_BYTES = 24 * 1024;

  private static final String META_LOG_LEVEL = "io.modelcontextprotocol/logLevel";

  /** How far the client was told that its request is, and whether a tool has said so. */
  static final class Progress {
    private double told = Double.NEGATIVE_INFINITY;
    private boolean ofTool;
  }

  ObjectNode params() {
    return request.params();
  }

  /** What the address that the client calls gives. */
  AddressDefaults defaults() {
    return caller.connection().defaults();
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
  void stillWorking() {
    synchronized (progress) {
      if (!progress.ofTool) {
        double done = Math.max(progress.told, 0) + 1;
        tellProgress(done, Json.object().put("message", "still working"));
      }
    }
  }

  private void tellProgress(double done, ObjectNode params) {
    if (done > progress.told && wantsProgress()) {
      progress.told = done;
      params.put("progress", done).set("progressToken", progressToken());
      tell("notifications/progress", params);
    }
  }

  @Override
  public int comfortableBytes() {
    return COMFORTABLE_BYTES;
  }

  @Override
  public void progress(double done, double total, String message) {
    synchronized (progress) {
      progress.ofTool = true;
      tellProgress(done, Json.object().put("total", total).put("message", message));
    }
  }

  @Override
  public void log(String message) {
    String level =
        isModern ? params().path("_meta").path(META_LOG_LEVEL).asText() : session.level();
    if (level.equals("debug") || level.equals("info")) {
      tell("notifications/message", Json.object().put("level", "info").put("data", message));
    }
  }

  @Override
  public boolean answers(Question question) {
    JsonNode capabilities =
        isModern ? ProtocolVersions.capabilities(params()) : session.capabilities();
    return capabilities.path(question.capability()).isObject();
  }

  @Override
  public Map<String, ObjectNode> ask(Map<String, Question> questions) throws InterruptedException {
    if (!questions.values().stream().allMatch(this::answers)) {
      throw unanswerable(questions.values());
    }
    return isModern ? answered(questions) : session.ask(questions, toClient);
  }

  private Map<String, ObjectNode> answered(Map<String, Question> questions) {
    ObjectNode answers = states.answers(request, caller);
    Map<String, ObjectNode> given = new HashMap<>();
    ObjectNode missing = Json.object();
    questions.forEach((name, question) -> {
      if (answers.get(name) instanceof ObjectNode answer && question.isAnsweredBy(answer)) {
        given.put(name, answer);
      } else {
        missing.putObject(name).put("method", question.method()).set("params", question.params());
      }
    });
    if (!missing.isEmpty()) {
      ObjectNode result = Json.object().put("resultType", "input_required");
      result.set("inputRequests", missing);
      throw new InputRequiredException(
          result.put("requestState", states.write(answers, request, caller)));
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
    return isModern
        ? RpcError.missingCapabilities(required)
        : new UnansweredException(
            "The client doesn't declare the capabilities %s, without which this can't be done."
                .formatted(required));
  }

  /** The client has to answer first. A cancellation, since no tool may take it for a failure. */
  static final class InputRequiredException extends CancellationException {
    private static final long serialVersionUID = 1;

    final transient ObjectNode result;

    private InputRequiredException(ObjectNode result) {
      this.result = result;
    }
  }
}
