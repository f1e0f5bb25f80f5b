package joshua.rogers;

import java.time.Duration;
import java.util.List;
import joshua.rogers.presence.Registry.Thresholds;
import joshua.service.ServiceSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The settings of the monitor alone. */
@Command
public final class RogersSettings implements ServiceSettings {
  private final Own own = new Own();

  /** Settings whose names begin with that of the service. */
  private static final class Own {
    @Option(
        names = "--stale-after",
        defaultValue = "30",
        paramLabel = "SECONDS",
        description = "A participant that is silent for longer is STALE.")
    private int staleAfter;

    @Option(
        names = "--disconnected-after",
        defaultValue = "120",
        paramLabel = "SECONDS",
        description = "One that is silent for longer is DISCONNECTED.")
    private int disconnectedAfter;
  }

  @Override
  public Object own() {
    return own;
  }

  @Override
  public List<String> problems() {
    return own.staleAfter > 0 && own.staleAfter < own.disconnectedAfter
        ? List.of()
        : List.of(
            "JOSHUA_ROGERS_STALE_AFTER (%d) must be at least 1, and less than JOSHUA_ROGERS_DISCONNECTED_AFTER (%d)."
                .formatted(own.staleAfter, own.disconnectedAfter));
  }

  Thresholds thresholds() {
    return new Thresholds(
        Duration.ofSeconds(own.staleAfter), Duration.ofSeconds(own.disconnectedAfter));
  }
}
