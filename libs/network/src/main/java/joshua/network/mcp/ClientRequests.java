package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import joshua.kernel.Json;
import joshua.network.ClientQuestion;
import joshua.network.UnmetRequirementException;

/**
 * The ways to ask the client questions while its request is worked on: by having it repeated with
 * the answers (stateless protocol), or by requests of ours (legacy).
 */
final class ClientRequests {
  private final PendingAsks pending = new PendingAsks();
  private final RequestState states;
  private final ResultShapes resultShapes;

  ClientRequests(InstantSource time, ResultShapes resultShapes) {
    this.states = new RequestState(time);
    this.resultShapes = resultShapes;
  }

  PendingAsks pending() {
    return pending;
  }

  /** The peer of a request, with the answers that come with it. */
  CallPeer peer(JsonRpc.Request request, RequestMeta meta, RequestContext requestContext)
      throws RpcError.RpcFailureException {
    if (!meta.isModern()) {
      return new CallPeer.Legacy(meta, requestContext, pending);
    }
    Map<String, ObjectNode> answers =
        new LinkedHashMap<>(states.read(request, requestContext.caller()));
    answers.putAll(ElicitationAnswers.read(request.params().path("inputResponses")));
    return new CallPeer.Stateless(meta, requestContext.stream(), answers);
  }

  /** The answer to a request that can't go on. */
  ObjectNode unmet(
      UnmetRequirementException unmetRequirementException,
      JsonRpc.Request request,
      RequestMeta meta,
      RequestContext requestContext,
      CallPeer peer)
      throws RpcError.RpcFailureException {
    switch (unmetRequirementException) {
      case UnmetRequirementException.MissingCapabilityException missing ->
          throw new RpcError.RpcFailureException(RpcError.missingCapability(missing.required()));
      case UnmetRequirementException.MissingInputException input -> {
        Map<String, ObjectNode> sofar =
            peer instanceof CallPeer.Stateless stateless ? stateless.used() : Map.of();
        ObjectNode result = Json.object();
        ObjectNode requests = result.putObject("inputRequests");
        input.questions().forEach((key, clientQuestion) -> requests.set(key, json(clientQuestion)));
        result.put("requestState", states.write(request, requestContext.caller(), sofar));
        return resultShapes.typed("input_required", result, meta);
      }
    }
  }

  static ObjectNode json(ClientQuestion clientQuestion) {
    ObjectNode json = Json.object().put("method", clientQuestion.method());
    json.set("params", clientQuestion.params());
    return json;
  }
}
