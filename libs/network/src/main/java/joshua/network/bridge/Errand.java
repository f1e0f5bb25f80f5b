package joshua.network.bridge;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Optional;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.network.Peer;

/**
 * A call to a tool that the first of some instances makes that is there. It goes on to the next
 * only while none has seen it.
 *
 * @param client whose queue it is about, if that is at the only instance there is to ask
 */
record Errand(
    List<RemoteMad> instances,
    ObjectNode params,
    Peer peer,
    Optional<String> client,
    Call firstCall) {

  static Errand begin(
      List<RemoteMad> instances, ObjectNode params, Peer peer, Optional<String> client) {
    Call call = instances.getFirst().begin("tools/call", params, peer);
    return new Errand(instances, params, peer, client, call);
  }

  Outcome await() throws InterruptedException {
    Outcome outcome = instances.getFirst().await(firstCall, peer);
    for (RemoteMad next : instances.subList(1, instances.size())) {
      if (!outcome.isUnsent()) {
        break;
      }
      outcome = next.await(next.begin("tools/call", params, peer), peer);
    }
    return client.isPresent() ? withHome(outcome, client.get()) : outcome;
  }

  /** What a client must know that can't be served elsewhere. */
  private Outcome withHome(Outcome outcome, String id) {
    if (!(outcome instanceof Outcome.Unanswered(Refusal refusal))
        || refusal.code() != ErrorCode.BUS_UNAVAILABLE) {
      return outcome;
    }
    RemoteMad home = instances.getFirst();
    String sentence =
        "%s The queue of %s is at the %s on %s and at no other; when that is back, call again, and the answer says what was missed."
            .formatted(refusal.message(), id, home.name(), home.at());
    return new Outcome.Unanswered(
        new Refusal(refusal.code(), sentence, refusal.details())
            .with("home", TextNode.valueOf(home.at())));
  }
}
