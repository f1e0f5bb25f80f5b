package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What Prometheus' rules and Grafana's dashboard ask for is on {@code /metrics} of a running group:
 * a name that nobody has would never alert, and draw nothing.
 */
final class MonitoringIT {
  private static final Stage STAGE = new Stage();
  private static final Path CONFIGS = Path.of("..", "configs");
  private static final Pattern NAME = Pattern.compile("\\b(?:joshua|jvm|process)_[a-z_]+\\b");

  /** A line of {@code /metrics}: the name, and the labels if any. */
  private static final Pattern SERIES = Pattern.compile("(?m)^([a-z_]+)(?:\\{(.*)})? \\S+$");

  private static final Pattern OUTCOME = Pattern.compile("(\\w+)\\{outcome=\\\\?\"(\\w+)");

  private static final Set<String> NAMES = new TreeSet<>();
  private static final Set<String> OUTCOMES = new TreeSet<>();

  @BeforeAll
  static void scrape() {
    Group group = STAGE.up();
    for (String mad : List.of("grace", "fiedler", "rogers")) {
      Matcher series = SERIES.matcher(group.get(mad, "/metrics").body());
      while (series.find()) {
        NAMES.add(series.group(1));
        Matcher outcome =
            Pattern.compile("outcome=\"(\\w+)\"").matcher(String.valueOf(series.group(2)));
        if (outcome.find()) {
          OUTCOMES.add(series.group(1) + " " + outcome.group(1));
        }
      }
    }
  }

  @AfterAll
  static void stop() {
    STAGE.close();
  }

  @Test
  void everyAlertAsksForWhatThereIs() throws IOException {
    check(Files.readString(CONFIGS.resolve("prometheus/rules.yml")));
  }

  @Test
  void everyPanelAsksForWhatThereIs() throws IOException {
    check(Files.readString(CONFIGS.resolve("grafana/dashboards/joshua.json")));
  }

  private static void check(String text) {
    Set<String> asked = new TreeSet<>();
    Matcher names = NAME.matcher(text);
    while (names.find()) {
      asked.add(names.group());
    }
    assertThat(asked).hasSizeGreaterThan(5);
    assertThat(NAMES).containsAll(asked);
    Matcher outcomes = OUTCOME.matcher(text);
    while (outcomes.find()) {
      assertThat(OUTCOMES).contains(outcomes.group(1) + " " + outcomes.group(2));
    }
  }
}
