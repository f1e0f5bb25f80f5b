package joshua.thought;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;

/**
 * The cost of an answer.
 *
 * @param tokensIn as counted by the provider, over all rounds; 0 if it doesn't report them
 * @param tokensOut likewise
 * @param millis from the first request to the end of the last
 */
public record AnswerUsage(long tokensIn, long tokensOut, int requests, long millis) {
  static final AnswerUsage NONE = new AnswerUsage(0, 0, 0, 0);

  public AnswerUsage plus(AnswerUsage other) {
    return new AnswerUsage(
        tokensIn + other.tokensIn,
        tokensOut + other.tokensOut,
        requests + other.requests,
        millis + other.millis);
  }

  /** Its form in a {@code result_payload} (wire contract §3). */
  public ObjectNode payload() {
    return Json.object()
        .put("tokens_in", tokensIn)
        .put("tokens_out", tokensOut)
        .put("requests", requests)
        .put("latency_ms", millis);
  }
}
