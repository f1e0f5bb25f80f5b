package joshua.app;

import java.util.List;
import joshua.app.doctor.Check;
import joshua.app.doctor.Diagnosis;
import joshua.app.doctor.Pages;
import joshua.app.doctor.Verdict;
import joshua.kernel.Json;
import joshua.kernel.Settings;
import joshua.ssh.Line;
import joshua.ssh.OutputFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code joshua doctor}: looks whether what a group needs is there and whole (+DP-06). */
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
  public int run(Settings settings, Surroundings around) throws Exception {
    try (Pages pages = new Pages()) {
      List<Check> checks = new Checks(settings, around, pages, !quick).all();
      Diagnosis diagnosis = look(checks, around);
      show(diagnosis, around);
      return diagnosis.verdict() == Verdict.BAD ? 1 : 0;
    }
  }

  private static Diagnosis look(List<Check> checks, Surroundings around) throws Exception {
    try (ProgressLine progress = new ProgressLine("looking", around)) {
      return Diagnosis.of(checks, progress::show);
    }
  }

  private void show(Diagnosis diagnosis, Surroundings around) {
    if (format == OutputFormat.JSON) {
      around.out().println(Json.write(diagnosis.report().json()));
      return;
    }
    diagnosis.report().lines().get().stream()
        .map(Line::plain)
        .map(String::stripTrailing)
        .forEach(around.out()::println);
  }
}
