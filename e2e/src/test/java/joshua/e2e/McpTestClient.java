package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** A third-party MCP client. What it is asked to do ends within 40 s. */
interface McpTestClient extends AutoCloseable {

  /** The outcome of a request to it. */
  sealed interface Outcome {
    /** It was done. */
    record Is(JsonNode value) implements Outcome {}

    /**
     * The tool refused it, and the client shows why.
     *
     * @param text the result's text
     * @param error the error object in the result's {@code _meta}; missing where the client doesn't
     *     show that
     */
    record Refused(String text, JsonNode error) implements Outcome {}

    /** It failed, and the client reported that. */
    record Failed(String why) implements Outcome {}

    /** Nothing came for as long as a user would wait. */
    record Hangs() implements Outcome {}
  }

  /** Connects, with a new client object where there was one before. */
  Outcome connect();

  /** The names of the tools. */
  Outcome tools();

  /** The structured content of a tool's result. */
  Outcome call(String tool, ObjectNode arguments);

  /** Subscribes to a resource. */
  Outcome watch(String uri);

  /** How many resource updates it has received. */
  int updates();

  @Override
  void close();

  /** The value of a successful outcome. */
  static JsonNode is(Outcome outcome) {
    if (outcome instanceof Outcome.Is(JsonNode value)) {
      return value;
    }
    throw new AssertionError("it didn't work: " + outcome);
  }

  /** The same as texts. */
  static List<String> texts(Outcome outcome) {
    return is(outcome).valueStream().map(JsonNode::asText).toList();
  }
}
