package joshua.network.bridge;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpClient;
import java.util.function.LongSupplier;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.ToolResult;
import joshua.network.bridge.Whereabouts.Absent;
import joshua.network.mcp.ClientMeta;

/**
 * A connection to one MAD for a program that makes a few calls of its tools and ends: a verb of the
 * command line. It doesn't reconnect.
 */
public final class ToolClient implements AutoCloseable {
  /** The longest that a call is waited for; the longest poll of a MAD is shorter. */
  private static final long ANSWER_SECONDS = 60;

  private final HttpClient http;
  private final MadSession session;

  private ToolClient(HttpClient http, MadSession session) {
    this.http = http;
    this.session = session;
  }

  /**
   * Connects, and makes sure who answers.
   *
   * @param mad its name
   * @param client how the program introduces itself
   * @param remedy what to do when nothing listens there, a sentence
   * @param frameLimit bytes of the largest message that the MAD reads
   * @throws Absent with a sentence for people, if it can't be reached
   */
  public static ToolClient open(
      String mad,
      ClientMeta client,
      String remedy,
      long frameLimit,
      Whereabouts where,
      LongSupplier nanoTime)
      throws Absent, InterruptedException {
    MadTerms terms = new MadTerms(mad, client, remedy, frameLimit);
    HttpClient http = HttpClient.newHttpClient();
    try {
      return new ToolClient(http, MadSession.open(terms, http, where.find(), nanoTime));
    } catch (Absent | InterruptedException e) {
      http.shutdownNow();
      throw e;
    }
  }

  /** Makes a call and awaits its answer; a connection that breaks refuses it. */
  public ToolResult call(String tool, ObjectNode input) throws InterruptedException {
    ObjectNode params = Json.object().put("name", tool);
    params.set("arguments", input);
    Call call = Call.plain("tools/call", params);
    session.ask(call);
    return switch (call.await(ANSWER_SECONDS)) {
      case Outcome.Result(ObjectNode result) -> result(result);
      case Outcome.Failed(ObjectNode error) -> new ToolResult.Refused(Faults.refusal(error));
      case Outcome.Unanswered(Refusal refusal) -> new ToolResult.Refused(refusal);
    };
  }

  private static ToolResult result(ObjectNode result) {
    ObjectNode output =
        result.get("structuredContent") instanceof ObjectNode object ? object : Json.object();
    return result.path("isError").asBoolean(false)
        ? new ToolResult.Refused(Faults.refusal(output, result.at("/content/0/text").asText()))
        : new ToolResult.Success(output);
  }

  @Override
  public void close() {
    session.close();
    http.shutdownNow();
  }
}
