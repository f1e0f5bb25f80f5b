package joshua.app.doctor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.ObjIntConsumer;
import joshua.kernel.Json;
import joshua.ssh.Line;
import joshua.ssh.Report;
import joshua.ssh.Style;
import joshua.ssh.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything that was found, in the order of the checks. */
public record Diagnosis(List<Finding> findings) {
  private static final Logger log = LoggerFactory.getLogger(Diagnosis.class);

  public Diagnosis {
    findings = List.copyOf(findings);
  }

  /**
   * Makes one.
   *
   * @param progress told before each check which one comes, and of how many
   */
  public static Diagnosis of(List<Check> checks, ObjIntConsumer<Integer> progress)
      throws InterruptedException {
    List<Finding> findings = new ArrayList<>();
    for (int i = 0; i < checks.size(); i++) {
      progress.accept(i, checks.size());
      try {
        findings.addAll(checks.get(i).look());
      } catch (RuntimeException e) {
        log.error("check {} failed", i + 1, e);
        findings.add(
            Finding.bad(
                "doctor",
                "Check %d failed by a mistake of its own.".formatted(i + 1),
                "Look at the other findings first; the log line above tells where it failed."));
      }
    }
    return new Diagnosis(findings);
  }

  /** The worst of all. */
  public Verdict verdict() {
    return findings.stream()
        .map(Finding::verdict)
        .filter(verdict -> verdict != Verdict.LEFT_OUT)
        .max(Comparator.naturalOrder())
        .orElse(Verdict.OK);
  }

  /** For programs and for people. */
  public Report report() {
    return new Report(json(), this::lines);
  }

  private ObjectNode json() {
    ObjectNode page = Json.object().put("verdict", verdict().word());
    ArrayNode checks = page.putArray("checks");
    for (Finding finding : findings) {
      checks
          .addObject()
          .put("check", finding.check())
          .put("verdict", finding.verdict().word())
          .put("found", finding.found())
          .put("remedy", finding.remedy().orElse(null));
    }
    return page;
  }

  private List<Line> lines() {
    Table table = new Table("VERDICT", "CHECK", "FOUND");
    for (Finding finding : findings) {
      Verdict verdict = finding.verdict();
      table.add(
          List.of(
              new Line.Piece(verdict.shown(), verdict.style()),
              new Line.Piece(finding.check(), Style.PLAIN),
              new Line.Piece(finding.found(), Style.PLAIN)));
      finding.remedy().ifPresent(remedy -> table.add("", "", "-> " + remedy));
    }
    List<Line> lines = new ArrayList<>(table.lines());
    lines.add(Line.of(""));
    lines.add(Line.of(sums()));
    return lines;
  }

  private String sums() {
    Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
    findings.forEach(finding -> counts.merge(finding.verdict(), 1, Integer::sum));
    StringJoiner sums = new StringJoiner(", ");
    counts.forEach((verdict, count) -> sums.add(count + " " + verdict.shown()));
    return sums.toString();
  }
}
