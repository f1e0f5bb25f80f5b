package joshua.ssh;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * An answer that is whole: for programs, and for people.
 *
 * @param json holds instants, never ages, so that the same state gives the same bytes
 * @param lines the same for people; made only when they are shown
 * @param remarks sentences about it that aren't part of it: what it leaves out, for instance
 */
public record VerbReport(JsonNode json, Supplier<List<StyledLine>> lines, List<String> remarks) {
  public VerbReport {
    remarks = List.copyOf(remarks);
  }

  /** One that is to be taken as it is. */
  public VerbReport(JsonNode json, Supplier<List<StyledLine>> lines) {
    this(json, lines, List.of());
  }

  /** The lines, with the remarks behind them: for where both are seen in one place. */
  List<StyledLine> allLines() {
    List<StyledLine> all = new ArrayList<>(lines.get());
    remarks.forEach(remark -> all.add(StyledLine.of(remark, TextStyle.DOUBTFUL)));
    return all;
  }
}
