package joshua.thought;

import java.util.List;
import java.util.Optional;

/**
 * What code says of a query's rows.
 *
 * @param answer the answer in one sentence, said before anything else; empty where the rows alone
 *     are the answer
 * @param caveats what the rows can't know, each a sentence
 */
public record RowSummary(Optional<String> answer, List<String> caveats) {
  /** Nothing beside the rows. */
  public static final RowSummary NONE = new RowSummary(Optional.empty(), List.of());

  public RowSummary {
    caveats = List.copyOf(caveats);
  }
}
