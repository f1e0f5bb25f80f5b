package joshua.thought.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import joshua.kernel.Json;
import joshua.state.query.QueryAnswer;
import org.jspecify.annotations.Nullable;

/**
 * An answer, as the members of a result beside its text (wire contract §3).
 *
 * @param stage the part of the service that gave it: {@code dtr} or {@code imperator}
 * @param readAs the command as which the prompt was parsed
 * @param truncated whether a model stopped before the end
 */
public record Answer(
    String stage,
    @Nullable String readAs,
    @Nullable String model,
    @Nullable Usage usage,
    boolean truncated,
    List<Evidence> evidence) {

  /** The tokens that a model reports. */
  public record Usage(long tokensIn, long tokensOut) {
    /** The sum of two usages; null if either is unknown. */
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
  public static Answer withoutModel(String readAs, List<Evidence> evidence) {
    return new Answer("dtr", readAs, null, null, false, evidence);
  }

  /** The members of a result. */
  public ObjectNode members() {
    return Json.mapper().valueToTree(this);
  }
}
