package joshua.app.doctor;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import joshua.kernel.Settings;

/**
 * Checks the settings: unknown names and bad values end every command before it begins, so this is
 * only about those that don't fit together.
 *
 * @param problems what a start would reject, a sentence each
 * @param asked the MAD they belong to, if they aren't this command's own
 */
public record SettingsCheck(Settings settings, List<String> problems, Optional<String> asked)
    implements HealthCheck {
  public SettingsCheck {
    problems = List.copyOf(problems);
  }

  @Override
  public List<CheckFinding> look() {
    List<CheckFinding> findings = new ArrayList<>();
    for (String problem : problems) {
      findings.add(
          CheckFinding.bad(
              "settings", problem, "Correct it; joshua config shows where each came from."));
    }
    if (findings.isEmpty()) {
      String from = asked.map(text -> " (" + text + ")").orElse("");
      findings.add(
          CheckFinding.ok("settings", "all %d are good%s%s".formatted(known(), given(), from)));
    }
    return findings;
  }

  private int known() {
    return settings.known().size();
  }

  private String given() {
    Map<Settings.Source, Integer> counts = new EnumMap<>(Settings.Source.class);
    settings.known().forEach(each -> counts.merge(settings.source(each), 1, Integer::sum));
    counts.remove(Settings.Source.DEFAULT);
    StringJoiner given = new StringJoiner(", ", "; set: ", "").setEmptyValue(", none was set");
    counts.forEach(
        (source, count) -> given.add(count + " by " + source.name().toLowerCase(Locale.ROOT)));
    return given.toString();
  }
}
