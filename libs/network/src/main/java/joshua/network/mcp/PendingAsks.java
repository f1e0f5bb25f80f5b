package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import joshua.network.Caller;
import joshua.network.ClientQuestion;
import joshua.network.UnmetRequirementException;

/**
 * The requests of ours to legacy clients that aren't answered yet. Their ids can't be guessed, so
 * an answer finds its question on whatever connection it comes; it must come from the caller that
 * was asked.
 */
final class PendingAsks {
  /** The most that are pending at once; one more is not put. */
  static final int MAX_PENDING = 10_000;

  /** How long an answer may take: a person may have to give it. */
  static final long MAX_MINUTES = 10;

  private record Pending(
      Optional<String> identity, CompletableFuture<Optional<ObjectNode>> answer) {}

  private final Map<String, Pending> pending = new ConcurrentHashMap<>();

  /** Puts one question and waits for the answer. */
  ObjectNode ask(ClientQuestion clientQuestion, Caller caller, MessageStream stream)
      throws InterruptedException {
    if (pending.size() >= MAX_PENDING) {
      throw UnmetRequirementException.MissingCapabilityException.toAnswer(clientQuestion.method());
    }
    String id = UUID.randomUUID().toString();
    Pending asked = new Pending(caller.identity(), new CompletableFuture<>());
    pending.put(id, asked);
    try {
      stream.send(JsonRpc.request(id, clientQuestion.method(), clientQuestion.params()));
      return asked
          .answer()
          .get(MAX_MINUTES, TimeUnit.MINUTES)
          .orElseThrow(() ->
              UnmetRequirementException.MissingCapabilityException.toAnswer(
                  clientQuestion.method()));
    } catch (ExecutionException | TimeoutException e) {
      throw UnmetRequirementException.MissingCapabilityException.toAnswer(clientQuestion.method());
    } finally {
      pending.remove(id);
    }
  }

  /** Takes a client's answer; one that no request waits for is ignored. */
  void answered(JsonRpc.Response response, Caller caller) {
    Pending asked = pending.get(response.id().asText());
    if (asked != null && asked.identity().equals(caller.identity())) {
      asked
          .answer()
          .complete(
              !response.error() && response.resultOrError() instanceof ObjectNode answer
                  ? Optional.of(answer)
                  : Optional.empty());
    }
  }
}
