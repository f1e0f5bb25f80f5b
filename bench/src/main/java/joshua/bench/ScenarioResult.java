package joshua.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import joshua.kernel.Json;

/**
 * The figures of one scenario for one build in one round.
 *
 * @param round from 1; 0 and less for warm-up rounds
 * @param load of the machine after the run: how many threads were ready to run, averaged over a
 *     minute
 */
record ScenarioResult(
    int round,
    MeasuredBuild build,
    String scenario,
    List<BenchmarkFigure> figures,
    double load,
    Instant endedAt) {
  ScenarioResult {
    figures = List.copyOf(figures);
  }

  boolean counts() {
    return round > 0;
  }

  ObjectNode json() {
    ObjectNode line =
        Json.object()
            .put("type", "result")
            .put("ended_at", endedAt.toString())
            .put("round", round)
            .put("warm_up", !counts())
            .put("build", build.role())
            .put("version", build.version())
            .put("scenario", scenario)
            .put("load_average", load);
    ObjectNode values = line.putObject("figures");
    figures.forEach(figure -> values.put(figure.name(), figure.value()));
    return line;
  }
}
