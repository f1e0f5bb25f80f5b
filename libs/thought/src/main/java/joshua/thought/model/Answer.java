package joshua.thought.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import joshua.kernel.Json;
import joshua.state.query.QueryAnswer;
import org.jspecify.annotations.Nullable;

/**
 * What stands in a result besides its text (wire contract §3).
 *
 * @param stage which part of the service gave it: {@code dtr} or {@code imperator}
 * @param readAs the command that was understood
 * @param truncated whether a model ended before it was done
 */
public record Answer(
    String stage,
    @Nullable String readAs,
    @Nullable String model,
    @Nullable Usage usage,
    boolean truncated,
    List<Evidence> evidence) {

  /** What a model says that it has read and written. */
  public record Usage(long tokensIn, long tokensOut) {
    /** Of two answers; null where one doesn't say. */
    public static @Nullable Usage sum(@Nullable Usage one, @Nullable Usage other) {
      return one == null || other == null
          ? null
          : new Usage(one.tokensIn + other.tokensIn, one.tokensOut + other.tokensOut);
    }
  }

  /** A query that ran. */
  public record Evidence(String query, ObjectNode arguments, List<ObjectNode> rows) {
    public static Evidence of(QueryAnswer answer) {
      return new Evidence(answer.query(), answer.arguments(), answer.rows());
    }
  }

  /** An answer without a model. */
  public static Answer read(String readAs, List<Evidence> evidence) {
    return new Answer("dtr", readAs, null, null, false, evidence);
  }

  /** As members of a result. */
  public ObjectNode members() {
    return Json.mapper().valueToTree(this);
  }
}
