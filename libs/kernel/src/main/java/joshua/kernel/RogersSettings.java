package joshua.kernel;

import java.nio.file.Path;
import java.util.List;

/** The settings that only Rogers uses. */
public final class RogersSettings {
  private static final int MILLION = 1_000_000;
  private static final int DAYS = 36_500;
  private static final int HOUR = 3_600;

  public static final Setting<Integer> STALE_AFTER =
      Setting.number(
          "rogers-stale-after",
          30,
          1,
          HOUR,
          "s",
          "How long a participant may be silent before it is STALE.");
  public static final Setting<Integer> DISCONNECTED_AFTER =
      Setting.number(
          "rogers-disconnected-after",
          120,
          2,
          24 * HOUR,
          "s",
          "How long a participant may be silent before it is DISCONNECTED; longer than"
              + " stale-after.");
  public static final Setting<Integer> FORGET_AFTER =
      Setting.number(
          "rogers-forget-after",
          168,
          1,
          24 * DAYS,
          "hours",
          "How long a participant that is DISCONNECTED is listed; then it is forgotten, but for its"
              + " history.");
  public static final Setting<Integer> METRICS_DAYS =
      Setting.number(
          "rogers-metrics-days",
          400,
          1,
          DAYS,
          "days",
          "How long hourly counts are kept; then those hours are not seen, rather than zero.");
  public static final Setting<Integer> NAMES_LIMIT =
      Setting.number(
          "rogers-names-limit",
          10_000,
          1,
          MILLION,
          "names",
          "How many senders, and how many channels, are told apart in an hour; the rest is counted"
              + " as *.");
  public static final Setting<Integer> HISTORY_ROWS =
      Setting.number(
          "rogers-history-rows",
          100_000,
          1_000,
          100 * MILLION,
          "rows",
          "How many changes of state, dead letters, alarms and the like are kept, of each kind.");
  public static final Setting<Integer> HISTORY_DAYS =
      Setting.number("rogers-history-days", 90, 1, DAYS, "days", "How long those are kept.");
  public static final Setting<KnownSettings.Switch> JOURNAL =
      Setting.choice(
          "rogers-journal",
          KnownSettings.Switch.ON,
          KnownSettings.Switch.class,
          "Whether Rogers keeps the messages of exchanges for a while, for"
              + " rogers_get_conversation.");
  public static final Setting<Integer> JOURNAL_MIB =
      Setting.number(
          "rogers-journal-mib",
          256,
          1,
          MILLION,
          "MiB",
          "How much the journal of exchanges holds; then the oldest messages are deleted.");
  public static final Setting<Integer> JOURNAL_HOURS =
      Setting.number(
          "rogers-journal-hours",
          24,
          1,
          10_000,
          "hours",
          "How long the journal of exchanges keeps a message.");

  public static final Setting<Path> IMPERATOR_FILE =
      Setting.path(
          "rogers-imperator-file",
          null,
          "A file with the system prompt of Rogers' Imperator, read at the start in place of the"
              + " IMPERATOR.md that comes with Joshua.");

  private RogersSettings() {}

  static List<Setting<?>> list() {
    return List.of(
        STALE_AFTER,
        DISCONNECTED_AFTER,
        FORGET_AFTER,
        METRICS_DAYS,
        NAMES_LIMIT,
        HISTORY_ROWS,
        HISTORY_DAYS,
        JOURNAL,
        JOURNAL_MIB,
        JOURNAL_HOURS,
        IMPERATOR_FILE);
  }
}
