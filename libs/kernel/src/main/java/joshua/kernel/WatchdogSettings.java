package joshua.kernel;

import java.util.List;

/** The settings of the watchdog that ends a process that can't do its work any more. */
public final class WatchdogSettings {
  private static final int SHORTEST_PATIENCE = 10;

  public static final Setting<Integer> PATIENCE =
      Setting.number(
          "watchdog-patience",
          30,
          SHORTEST_PATIENCE,
          3_600,
          "s",
          "How long an essential thread may make no progress, four times as long where it waits for a disk; then the process ends, to be started again.");

  private WatchdogSettings() {}

  static List<Setting<?>> list() {
    return List.of(PATIENCE);
  }
}
