package joshua.app;

import java.util.List;
import joshua.app.doctor.CheckVerdict;
import joshua.app.doctor.DiagnosisReport;
import joshua.app.doctor.HealthCheck;
import joshua.app.doctor.HttpPages;
import joshua.kernel.Json;
import joshua.kernel.Settings;
import joshua.ssh.OutputFormat;
import joshua.ssh.StyledLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code joshua doctor}: checks whether what a group needs is there and intact (+DP-06). */
@Command(
    name = "doctor",
    description = "Look for what is wrong, or soon will be, and say how to mend each.",
    footer = {
      "",
      "Works whether the group runs or not, and changes nothing. Exit status 1 if anything is",
      "BAD; a warning leaves it 0. The databases are read page by page, about 15 s a GB.",
      "Examples:",
      "  joshua doctor",
      "  joshua doctor --quick -o json | jq '.checks[] | select(.verdict == \"bad\")'"
    })
final class DoctorCommand implements Subcommand {
  @Option(names = "--quick", description = "Don't read the databases page by page.")
  private boolean quick;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table or json. Default: table")
  private OutputFormat format = OutputFormat.TABLE;

  @Override
  public int run(Settings settings, ProcessEnvironment around) throws Exception {
    try (HttpPages httpPages = new HttpPages()) {
      List<HealthCheck> checks = new DoctorChecks(settings, around, httpPages, !quick).all();
      DiagnosisReport diagnosisReport = look(checks, around);
      show(diagnosisReport, around);
      return diagnosisReport.verdict() == CheckVerdict.BAD ? 1 : 0;
    }
  }

  private static DiagnosisReport look(List<HealthCheck> checks, ProcessEnvironment around)
      throws Exception {
    try (ProgressLine progress = new ProgressLine("looking", around)) {
      return DiagnosisReport.of(checks, progress::show);
    }
  }

  private void show(DiagnosisReport diagnosisReport, ProcessEnvironment around) {
    if (format == OutputFormat.JSON) {
      around.out().println(Json.write(diagnosisReport.report().json()));
      return;
    }
    diagnosisReport.report().lines().get().stream()
        .map(StyledLine::plain)
        .map(String::stripTrailing)
        .forEach(around.out()::println);
  }
}
