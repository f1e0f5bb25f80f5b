package joshua.kernel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Every limit of the services of one process, and whether the heap bears all of them at once.
 *
 * @param settings in force: what was given, and defaults that may have been scaled down to the heap
 * @param plan of the heap
 * @param rows each limit once
 * @param scaled defaults that were scaled down, with their values now
 */
public record LimitTable(
    Settings settings, HeapPlan plan, List<ResourceLimit> rows, Map<Setting<?>, String> scaled) {

  /** A default scaled down further than to this part of it is no use to anybody. */
  private static final double LEAST_SCALE = 1.0 / 64;

  private static final int NAMED = 5;

  /** Lists the limits that a service has by these settings and this heap. */
  @FunctionalInterface
  public interface Owner {
    List<ResourceLimit> list(Settings settings, HeapPlan plan);
  }

  public LimitTable {
    rows = List.copyOf(rows);
    scaled = Map.copyOf(scaled);
  }

  /**
   * The limits of these owners. Where the heap doesn't bear them, defaults that are numbers are
   * scaled down.
   *
   * @throws Settings.InvalidSettingsException if it doesn't bear what was set, with the sum
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

  /** The limits of these owners, whether the heap bears them or not. */
  public static LimitTable of(Settings settings, HeapPlan plan, List<Owner> owners) {
    List<ResourceLimit> rows = new ArrayList<>();
    owners.forEach(owner -> rows.addAll(owner.list(settings, plan)));
    return new LimitTable(settings, plan, rows, Map.of());
  }

  /** The same limits with other settings that none of them depends on. */
  public LimitTable with(Settings others) {
    return new LimitTable(others, plan, rows, scaled);
  }

  /** The setting of a limit that is a number, costs memory, and that nobody has set. */
  private Optional<Setting<?>> scales(ResourceLimit row) {
    return row.setting()
        .filter(setting -> row.heapBytes() > 0)
        .filter(setting -> settings.source(setting) == Settings.Source.DEFAULT)
        .filter(setting -> settings.find(setting).filter(Integer.class::isInstance).isPresent());
  }

  private static int number(Settings settings, Setting<?> setting) {
    return settings.find(setting).map(Integer.class::cast).orElseThrow();
  }

  /** What all limits together may cost, in bytes of the heap. */
  public long sum() {
    return rows.stream().mapToLong(ResourceLimit::heapBytes).sum();
  }

  /** That defaults had to be scaled down, as a sentence; empty where none had to be. */
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
