package joshua.kernel;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One limit of a service, as docs/operating/limits.md and {@code joshua doctor} show it. It is
 * declared beside the code that enforces it, from the same constant or setting.
 *
 * @param id the name that tests use: {@code grace.clients}
 * @param bounds what is limited: "clients with a queue"
 * @param most the maximum, with its unit
 * @param setting the setting that changes it, if there is one
 * @param heapBytes the most memory it may cost, for all services of the process; 0 if another limit
 *     counts it or nothing is kept
 * @param beyond what happens to a caller that asks for more
 */
public record ResourceLimit(
    String id,
    String bounds,
    String most,
    Optional<Setting<?>> setting,
    long heapBytes,
    String beyond) {
  private static final List<String> UNITS = List.of("bytes", "KiB", "MiB", "GiB");
  private static final long STEP = 1_024;

  public ResourceLimit {
    if (heapBytes < 0) {
      throw new IllegalArgumentException(id + " can't cost " + heapBytes + " bytes");
    }
  }

  /** A constant number of things at this many bytes each; 0 for a negligible cost. */
  public static ResourceLimit count(
      String id, String bounds, long most, long bytesOfOne, String beyond) {
    return new ResourceLimit(
        id, bounds, grouped(most), Optional.empty(), Math.multiplyExact(most, bytesOfOne), beyond);
  }

  /** A constant number of bytes that another limit counts, or that aren't kept. */
  public static ResourceLimit size(String id, String bounds, long most, String beyond) {
    return new ResourceLimit(id, bounds, bytes(most), Optional.empty(), 0, beyond);
  }

  /** Bytes of the heap that this limit itself accounts for. */
  public static ResourceLimit memory(
      String id, String bounds, long most, long heapBytes, String beyond) {
    return new ResourceLimit(id, bounds, bytes(most), Optional.empty(), heapBytes, beyond);
  }

  /** A duration, or another measure with a unit of its own. */
  public static ResourceLimit measure(String id, String bounds, String most, String beyond) {
    return new ResourceLimit(id, bounds, most, Optional.empty(), 0, beyond);
  }

  /** The same limit with the setting that changes it. */
  public ResourceLimit by(@Nullable Setting<?> changedBy) {
    return new ResourceLimit(id, bounds, most, Optional.ofNullable(changedBy), heapBytes, beyond);
  }

  /** Formats a number for people: 10 000. */
  public static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number).replace(',', ' ');
  }

  /** Formats bytes in the largest unit that needs at most one decimal. */
  public static String bytes(long count) {
    double value = count;
    int unit = 0;
    while (value >= STEP && unit < UNITS.size() - 1) {
      value /= STEP;
      unit++;
    }
    String number =
        value == Math.rint(value)
            ? grouped((long) value)
            : String.format(Locale.ROOT, "%.1f", value);
    return number + " " + UNITS.get(unit);
  }
}
