package joshua.ssh;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A complete answer, for programs and for people.
 *
 * @param json holds instants, never ages, so that the same state yields the same bytes
 * @param lines the same for people; built only when shown
 * @param remarks sentences about the answer, for instance what it leaves out
 */
public record VerbReport(JsonNode json, Supplier<List<StyledLine>> lines, List<String> remarks) {
  public VerbReport {
    remarks = List.copyOf(remarks);
  }

  /** A report without remarks. */
  public VerbReport(JsonNode json, Supplier<List<StyledLine>> lines) {
    this(json, lines, List.of());
  }

  /** The lines followed by the remarks, where both are shown in one place. */
  List<StyledLine> allLines() {
    List<StyledLine> all = new ArrayList<>(lines.get());
    remarks.forEach(remark -> all.add(StyledLine.of(remark, TextStyle.DOUBTFUL)));
    return all;
  }
}
