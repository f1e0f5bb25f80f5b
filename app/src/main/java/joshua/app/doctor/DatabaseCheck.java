package joshua.app.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import joshua.state.IntegrityCheck;
import joshua.state.Migration;

/**
 * Checks the database of a MAD: its schema, its log, and its pages, which takes about 15 s per GB.
 *
 * @param migrations its schema, as this build knows it
 * @param inUse whether a group runs on the data directory, so that a log is normal
 * @param pages whether every page is checked
 */
public record DatabaseCheck(Path file, List<Migration> migrations, boolean inUse, boolean pages)
    implements HealthCheck {
  private static final String CHECK = "database";
  private static final int MOST_FINDINGS = 10;

  /** A log larger than this suggests that a reader has been using old pages for too long. */
  private static final long LARGE_LOG = 256L << 20;

  private static final String RESTORE =
      "Stop the group, keep a copy of the file and of those beside it, and restore the newest backup: joshua restore DIRECTORY.";

  public DatabaseCheck {
    migrations = List.copyOf(migrations);
  }

  @Override
  public List<CheckFinding> look() {
    if (!Files.exists(file)) {
      return List.of(CheckFinding.leftOut(CHECK, file + " isn't there yet"));
    }
    List<CheckFinding> findings = new ArrayList<>();
    try {
      IntegrityCheck.Condition condition = IntegrityCheck.condition(file, migrations);
      condition.problem().ifPresent(sentences -> findings.add(CheckFinding.bad(CHECK, sentences)));
      if (condition.problem().isEmpty()) {
        log(condition, findings);
        damage(findings);
      }
      if (findings.isEmpty()) {
        findings.add(
            CheckFinding.ok(
                CHECK,
                "%s, %s and %s in its log%s"
                    .formatted(
                        file,
                        ByteSizes.text(condition.bytes()),
                        ByteSizes.text(condition.logBytes()),
                        pages ? ", whole" : ", its pages not looked at")));
      }
    } catch (IOException e) {
      findings.add(
          CheckFinding.bad(
              CHECK,
              "%s can't be read (%s).".formatted(file, e.getClass().getSimpleName()),
              "Make it readable for the user that Joshua runs as."));
    }
    return findings;
  }

  private void log(IntegrityCheck.Condition condition, List<CheckFinding> findings) {
    if (condition.logBytes() > LARGE_LOG) {
      findings.add(
          CheckFinding.warning(
              CHECK,
              "The log of %s has grown to %s."
                  .formatted(file, ByteSizes.text(condition.logBytes())),
              inUse
                  ? "Find who reads from it for so long (fuser %s) and end that.".formatted(file)
                  : "Start the group: it takes the log over."));
    }
    if (!inUse && (condition.logBytes() > 0 || condition.unchecked())) {
      findings.add(
          CheckFinding.warning(
              CHECK,
              file + " wasn't closed when it was last used.",
              "Nothing, if that was a kill or a power cut: the next start takes over its log and checks it. Keep the files beside it."));
    }
  }

  private void damage(List<CheckFinding> findings) {
    if (pages) {
      IntegrityCheck.full(file).stream()
          .limit(MOST_FINDINGS)
          .forEach(
              problem -> findings.add(CheckFinding.bad(CHECK, file + ": " + problem, RESTORE)));
    }
  }
}
