package joshua.network.bridge;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Optional;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.network.CallContext;

/**
 * A tool call to the first available instance. It fails over to the next only while no instance has
 * seen it.
 *
 * @param client the client whose queue it concerns, if only one instance has that queue
 */
record FailoverCall(
    List<RemoteMad> instances,
    ObjectNode params,
    CallContext peer,
    Optional<String> client,
    MadCall firstCall) {

  static FailoverCall begin(
      List<RemoteMad> instances,
      ObjectNode params,
      CallContext callContext,
      Optional<String> client) {
    MadCall madCall = instances.getFirst().begin("tools/call", params, callContext);
    return new FailoverCall(instances, params, callContext, client, madCall);
  }

  MadCallOutcome await() throws InterruptedException {
    MadCallOutcome madCallOutcome = instances.getFirst().await(firstCall, peer);
    for (RemoteMad next : instances.subList(1, instances.size())) {
      if (!madCallOutcome.isUnsent()) {
        break;
      }
      madCallOutcome = next.await(next.begin("tools/call", params, peer), peer);
    }
    return client.isPresent() ? withHome(madCallOutcome, client.get()) : madCallOutcome;
  }

  /** What a client must know that can't be served elsewhere. */
  private MadCallOutcome withHome(MadCallOutcome madCallOutcome, String id) {
    if (!(madCallOutcome instanceof MadCallOutcome.Unanswered(Refusal refusal))
        || refusal.code() != ErrorCode.BUS_UNAVAILABLE) {
      return madCallOutcome;
    }
    RemoteMad home = instances.getFirst();
    String sentence =
        "%s The queue of %s is at the %s on %s and at no other; when that is back, call again, and the answer says what was missed."
            .formatted(refusal.message(), id, home.name(), home.at());
    return new MadCallOutcome.Unanswered(
        new Refusal(refusal.code(), sentence, refusal.details())
            .with("home", TextNode.valueOf(home.at())));
  }
}
