package joshua.kernel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Every limit of the services of one process, and whether the heap can hold them all at once.
 *
 * @param settings in force: what was set, and defaults that may have been scaled down to the heap
 * @param plan of the heap
 * @param rows each limit once
 * @param scaled defaults that were scaled down, with their present values
 */
public record LimitTable(
    Settings settings, HeapPlan plan, List<ResourceLimit> rows, Map<Setting<?>, String> scaled) {

  /** A default that would have to be scaled down further than this is useless. */
  private static final double LEAST_SCALE = 1.0 / 64;

  private static final int NAMED = 5;

  /** A part of a service that lists its limits under these settings and this heap. */
  @FunctionalInterface
  public interface Owner {
    List<ResourceLimit> list(Settings settings, HeapPlan plan);
  }

  public LimitTable {
    rows = List.copyOf(rows);
    scaled = Map.copyOf(scaled);
  }

  /**
   * Builds the table of these owners' limits. If the heap can't hold them, numeric defaults are
   * scaled down.
   *
   * @throws Settings.InvalidSettingsException if it can't hold the values that were set; the
   *     message has the sum
   */
  public static LimitTable fit(Settings settings, HeapPlan plan, List<Owner> owners)
      throws Settings.InvalidSettingsException {
    LimitTable table = of(settings, plan, owners);
    if (table.sum() <= plan.available()) {
      return table;
    }
    long scalable =
        table.rows.stream()
            .filter(row -> table.scales(row).isPresent())
            .mapToLong(ResourceLimit::heapBytes)
            .sum();
    double scale = (double) (plan.available() - (table.sum() - scalable)) / Math.max(1, scalable);
    if (scale < LEAST_SCALE) {
      throw new Settings.InvalidSettingsException(List.of(table.tooMuch()));
    }
    Map<Setting<?>, String> scaled = new HashMap<>();
    for (ResourceLimit row : table.rows) {
      table
          .scales(row)
          .ifPresent(setting ->
              scaled.put(
                  setting, Long.toString(Math.max(1, (long) (number(settings, setting) * scale)))));
    }
    LimitTable smaller = of(settings.withScaled(scaled), plan, owners);
    return new LimitTable(smaller.settings, plan, smaller.rows, scaled);
  }

  /** Builds the table of these owners' limits, whether the heap can hold them or not. */
  public static LimitTable of(Settings settings, HeapPlan plan, List<Owner> owners) {
    List<ResourceLimit> rows = new ArrayList<>();
    owners.forEach(owner -> rows.addAll(owner.list(settings, plan)));
    return new LimitTable(settings, plan, rows, Map.of());
  }

  /** The same limits with changed settings that no limit depends on. */
  public LimitTable with(Settings others) {
    return new LimitTable(others, plan, rows, scaled);
  }

  /** The setting behind a limit, if it is a number, costs memory, and was left at its default. */
  private Optional<Setting<?>> scales(ResourceLimit row) {
    return row.setting()
        .filter(setting -> row.heapBytes() > 0)
        .filter(setting -> settings.source(setting) == Settings.Source.DEFAULT)
        .filter(setting -> settings.find(setting).filter(Integer.class::isInstance).isPresent());
  }

  private static int number(Settings settings, Setting<?> setting) {
    return settings.find(setting).map(Integer.class::cast).orElseThrow();
  }

  /** What all limits together may cost, in bytes of heap. */
  public long sum() {
    return rows.stream().mapToLong(ResourceLimit::heapBytes).sum();
  }

  /** A sentence about the defaults that were scaled down; empty if none was. */
  public Optional<String> scaling() {
    if (scaled.isEmpty()) {
      return Optional.empty();
    }
    String values =
        scaled.entrySet().stream()
            .map(one -> one.getKey().key() + " " + one.getValue())
            .sorted()
            .collect(Collectors.joining(", "));
    return Optional.of(
        "The heap of %s is too small for the usual limits; scaled down: %s. A larger -Xmx in configs/jvm.options brings them back."
            .formatted(ResourceLimit.bytes(plan.heapBytes()), values));
  }

  private String tooMuch() {
    String largest =
        rows.stream()
            .sorted(Comparator.comparingLong(ResourceLimit::heapBytes).reversed())
            .limit(NAMED)
            .map(row ->
                "%s %s%s"
                    .formatted(
                        row.setting().map(Setting::key).orElse(row.id()),
                        ResourceLimit.bytes(row.heapBytes()),
                        row.setting()
                            .filter(setting -> settings.source(setting) != Settings.Source.DEFAULT)
                            .map(setting -> " (set to " + settings.printable(setting) + ")")
                            .orElse("")))
            .collect(Collectors.joining(", "));
    return "all limits together may take %s, and of the heap of %s there are %s for them. The largest: %s. Lower what is set, or raise -Xmx in configs/jvm.options"
        .formatted(
            ResourceLimit.bytes(sum()),
            ResourceLimit.bytes(plan.heapBytes()),
            ResourceLimit.bytes(plan.available()),
            largest);
  }
}
