package joshua.app.doctor;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Checks what runs on the data directory, as it reports itself.
 *
 * @param held whether some process holds the directory
 */
public record GroupCheck(Path data, Optional<RunningGroup> group, boolean held)
    implements HealthCheck {
  private static final String CHECK = "group";

  /** Replaces the check if what the group reports can't be read. */
  public static HealthCheck unknown(String why) {
    return () -> List.of(CheckFinding.bad(CHECK, why));
  }

  @Override
  public List<CheckFinding> look() {
    if (group.isPresent()) {
      return List.of(
          CheckFinding.ok(
              CHECK,
              "runs since %s: %s"
                  .formatted(
                      group.get().since(),
                      group.get().pids().entrySet().stream()
                          .sorted(Map.Entry.comparingByKey())
                          .map(each -> each.getKey() + " is process " + each.getValue())
                          .collect(Collectors.joining(", ")))));
    }
    return List.of(
        held
            ? CheckFinding.warning(
                CHECK,
                "Something holds %s and doesn't say what it is.".formatted(data),
                "Look again in some seconds: a group that starts or ends does so for a moment.")
            : CheckFinding.leftOut(CHECK, "none runs on " + data));
  }
}
