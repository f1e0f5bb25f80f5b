package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Predicate;
import joshua.kernel.Identifiers;
import joshua.kernel.Json;
import joshua.network.AddressDefaults;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.mcp.JsonRpc.Request;

/**
 * A running request of MCP, with the way to notify and to ask its client meanwhile.
 *
 * <p>A client of 2026-07-28 is asked by a result: it repeats its request with the answers, and the
 * call runs again. Older clients are asked by a request, which they answer by a response.
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
  /** Small, since answers fill a model's context. */
  private static final int PREFERRED_MAX_BYTES = 24 * 1024;

  private static final String META_CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
  private static final String META_LOG_LEVEL = "io.modelcontextprotocol/logLevel";

  /** The progress reported so far, and whether the tool itself reports it. */
  static final class Progress {
    private double reported = Double.NEGATIVE_INFINITY;
    private boolean byTool;
  }

  ObjectNode params() {
    return request.params();
  }

  /** The defaults that the client's URL sets. */
  AddressDefaults defaults() {
    return caller.connection().defaults();
  }

  /** Sends a notification; false if the client doesn't read. */
  boolean tell(String method, ObjectNode params) {
    return toClient.test(JsonRpc.notification(method, params));
  }

  /** Whether the client wants progress notifications. */
  boolean wantsProgress() {
    return !progressToken().isMissingNode();
  }

  private JsonNode progressToken() {
    return params().path("_meta").path("progressToken");
  }

  /** Reports progress for a tool that doesn't report any itself. */
  void stillWorking() {
    synchronized (progress) {
      if (!progress.byTool) {
        double done = Math.max(progress.reported, 0) + 1;
        tellProgress(done, Json.object().put("message", "still working"));
      }
    }
  }

  private void tellProgress(double done, ObjectNode params) {
    if (done > progress.reported && wantsProgress()) {
      progress.reported = done;
      params.put("progress", done).set("progressToken", progressToken());
      tell("notifications/progress", params);
    }
  }

  @Override
  public int preferredMaxBytes() {
    return PREFERRED_MAX_BYTES;
  }

  @Override
  public Optional<String> sessionId() {
    return isModern ? Optional.empty() : session.id();
  }

  @Override
  public Optional<String> clientName() {
    JsonNode client =
        isModern ? params().path("_meta").path(META_CLIENT_INFO) : session.clientInfo();
    return Optional.ofNullable(client.path("name").textValue())
        .map(name -> name.strip().replaceAll("[^A-Za-z0-9._:-]+", "-"))
        .filter(Identifiers::isName);
  }

  @Override
  public void progress(double done, double total, String message) {
    synchronized (progress) {
      progress.byTool = true;
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

  /** The error that names the capabilities that a client must declare for these questions. */
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

  /** The client must answer first. A cancellation, so that tools don't handle it as a failure. */
  static final class InputRequiredException extends CancellationException {
    private static final long serialVersionUID = 1;

    final transient ObjectNode result;

    private InputRequiredException(ObjectNode result) {
      this.result = result;
    }
  }
}
