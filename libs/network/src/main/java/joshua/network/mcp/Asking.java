package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import joshua.kernel.Json;
import joshua.network.Question;
import joshua.network.Unmet;

/**
 * How requests ask their client back while they are worked on: by being made again with the answers
 * (stateless protocol), or by requests of ours (legacy).
 */
final class Asking {
  private final PendingAsks pending = new PendingAsks();
  private final RequestState states;
  private final Results results;

  Asking(InstantSource time, Results results) {
    this.states = new RequestState(time);
    this.results = results;
  }

  PendingAsks pending() {
    return pending;
  }

  /** The peer of a request, with the answers that come with it. */
  CallPeer peer(Rpc.Request request, RequestMeta meta, Exchange exchange) throws RpcError.Failure {
    if (!meta.isModern()) {
      return new CallPeer.Legacy(meta, exchange, pending);
    }
    Map<String, ObjectNode> answers = new LinkedHashMap<>(states.read(request, exchange.caller()));
    answers.putAll(Answers.read(request.params().path("inputResponses")));
    return new CallPeer.Stateless(meta, exchange.stream(), answers);
  }

  /** What is answered to a request that can't go on. */
  ObjectNode unmet(
      Unmet unmet, Rpc.Request request, RequestMeta meta, Exchange exchange, CallPeer peer)
      throws RpcError.Failure {
    switch (unmet) {
      case Unmet.Capability missing ->
          throw new RpcError.Failure(RpcError.missingCapability(missing.required()));
      case Unmet.Input input -> {
        Map<String, ObjectNode> sofar =
            peer instanceof CallPeer.Stateless stateless ? stateless.used() : Map.of();
        ObjectNode result = Json.object();
        ObjectNode requests = result.putObject("inputRequests");
        input.questions().forEach((key, question) -> requests.set(key, json(question)));
        result.put("requestState", states.write(request, exchange.caller(), sofar));
        return results.typed("input_required", result, meta);
      }
    }
  }

  static ObjectNode json(Question question) {
    ObjectNode json = Json.object().put("method", question.method());
    json.set("params", question.params());
    return json;
  }
}
