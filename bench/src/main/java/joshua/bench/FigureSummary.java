package joshua.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import joshua.kernel.Json;

/**
 * The summary of one figure over all rounds.
 *
 * @param ratio of this build to the other, round by round
 */
record FigureSummary(
    String scenario,
    String figure,
    FigureKind kind,
    SampleRange thisBuild,
    Optional<SampleRange> otherBuild,
    Optional<SampleRange> ratio) {

  /** In the order in which they were measured; warm-up rounds are left out. */
  static List<FigureSummary> of(List<ScenarioResult> results) {
    Map<List<String>, FigureKind> kinds = new LinkedHashMap<>();
    for (ScenarioResult result : results) {
      result
          .figures()
          .forEach(figure -> kinds.put(List.of(result.scenario(), figure.name()), figure.kind()));
    }
    List<FigureSummary> summaries = new ArrayList<>();
    kinds.forEach(
        (names, kind) -> summaries.add(summary(names.getFirst(), names.getLast(), kind, results)));
    return summaries;
  }

  private static FigureSummary summary(
      String scenario, String figure, FigureKind kind, List<ScenarioResult> results) {
    List<Double> ours = samples(MeasuredBuild.THIS, scenario, figure, results);
    List<Double> theirs = samples(MeasuredBuild.OTHER, scenario, figure, results);
    if (theirs.isEmpty()) {
      return new FigureSummary(
          scenario, figure, kind, SampleRange.of(ours), Optional.empty(), Optional.empty());
    }
    if (ours.size() != theirs.size()) {
      throw new IllegalArgumentException(
          "%d rounds of one build, %d of the other".formatted(ours.size(), theirs.size()));
    }
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < ours.size(); round++) {
      ratios.add(kind.ratio(ours.get(round), theirs.get(round)));
    }
    return new FigureSummary(
        scenario,
        figure,
        kind,
        SampleRange.of(ours),
        Optional.of(SampleRange.of(theirs)),
        Optional.of(SampleRange.of(ratios)));
  }

  private static List<Double> samples(
      String role, String scenario, String figure, List<ScenarioResult> results) {
    return results.stream()
        .filter(result -> result.counts() && result.build().role().equals(role))
        .filter(result -> result.scenario().equals(scenario))
        .flatMap(result -> valueOf(figure, result))
        .toList();
  }

  private static Stream<Double> valueOf(String figure, ScenarioResult result) {
    return result.figures().stream()
        .filter(each -> each.name().equals(figure))
        .map(BenchmarkFigure::value);
  }

  /** Whether a rate of this build is too low compared with the other's. */
  boolean isBelow(double least) {
    return kind == FigureKind.RATE && ratio.filter(each -> each.median() < least).isPresent();
  }

  ObjectNode json() {
    ObjectNode line =
        Json.object().put("type", "summary").put("scenario", scenario).put("figure", figure);
    put(line, "this", thisBuild);
    otherBuild.ifPresent(range -> put(line, "other", range));
    ratio.ifPresent(range -> put(line, "ratio", range));
    return line;
  }

  private static void put(ObjectNode line, String name, SampleRange range) {
    line.putObject(name)
        .put("median", range.median())
        .put("min", range.min())
        .put("max", range.max());
  }
}
