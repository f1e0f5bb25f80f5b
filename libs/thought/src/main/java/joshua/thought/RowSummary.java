package joshua.thought;

import java.util.List;
import java.util.Optional;

/**
 * A summary of a query's rows, written by code.
 *
 * @param answer the answer in one sentence, placed first; empty if the rows alone are the answer
 * @param caveats what the rows can't show, each a sentence
 */
public record RowSummary(Optional<String> answer, List<String> caveats) {
  /** No summary. */
  public static final RowSummary NONE = new RowSummary(Optional.empty(), List.of());

  public RowSummary {
    caveats = List.copyOf(caveats);
  }
}
