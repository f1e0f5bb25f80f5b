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
import joshua.ssh.StyledLine;
import joshua.ssh.TextStyle;
import joshua.ssh.TextTable;
import joshua.ssh.VerbReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All findings, in the order of the checks. */
public record DiagnosisReport(List<CheckFinding> findings) {
  private static final Logger log = LoggerFactory.getLogger(DiagnosisReport.class);

  public DiagnosisReport {
    findings = List.copyOf(findings);
  }

  /**
   * Runs the checks.
   *
   * @param progress receives, before each check, its name and the number of all checks
   */
  public static DiagnosisReport of(List<HealthCheck> checks, ObjIntConsumer<Integer> progress)
      throws InterruptedException {
    List<CheckFinding> findings = new ArrayList<>();
    for (int i = 0; i < checks.size(); i++) {
      progress.accept(i, checks.size());
      try {
        findings.addAll(checks.get(i).look());
      } catch (RuntimeException e) {
        log.error("check {} failed", i + 1, e);
        findings.add(
            CheckFinding.bad(
                "doctor",
                "Check %d failed by a mistake of its own.".formatted(i + 1),
                "Look at the other findings first; the log line above tells where it failed."));
      }
    }
    return new DiagnosisReport(findings);
  }

  /** The worst verdict of all. */
  public CheckVerdict verdict() {
    return findings.stream()
        .map(CheckFinding::verdict)
        .filter(checkVerdict -> checkVerdict != CheckVerdict.LEFT_OUT)
        .max(Comparator.naturalOrder())
        .orElse(CheckVerdict.OK);
  }

  /** The report, for programs and for people. */
  public VerbReport report() {
    return new VerbReport(json(), this::lines);
  }

  private ObjectNode json() {
    ObjectNode page = Json.object().put("verdict", verdict().word());
    ArrayNode checks = page.putArray("checks");
    for (CheckFinding checkFinding : findings) {
      checks
          .addObject()
          .put("check", checkFinding.check())
          .put("verdict", checkFinding.verdict().word())
          .put("found", checkFinding.found())
          .put("remedy", checkFinding.remedy().orElse(null));
    }
    return page;
  }

  private List<StyledLine> lines() {
    TextTable textTable = new TextTable("VERDICT", "CHECK", "FOUND");
    for (CheckFinding checkFinding : findings) {
      CheckVerdict checkVerdict = checkFinding.verdict();
      textTable.add(
          List.of(
              new StyledLine.Piece(checkVerdict.shown(), checkVerdict.style()),
              new StyledLine.Piece(checkFinding.check(), TextStyle.PLAIN),
              new StyledLine.Piece(checkFinding.found(), TextStyle.PLAIN)));
      checkFinding.remedy().ifPresent(remedy -> textTable.add("", "", "-> " + remedy));
    }
    List<StyledLine> lines = new ArrayList<>(textTable.lines());
    lines.add(StyledLine.of(""));
    lines.add(StyledLine.of(sums()));
    return lines;
  }

  private String sums() {
    Map<CheckVerdict, Integer> counts = new EnumMap<>(CheckVerdict.class);
    findings.forEach(checkFinding -> counts.merge(checkFinding.verdict(), 1, Integer::sum));
    StringJoiner sums = new StringJoiner(", ");
    counts.forEach((checkVerdict, count) -> sums.add(count + " " + checkVerdict.shown()));
    return sums.toString();
  }
}
