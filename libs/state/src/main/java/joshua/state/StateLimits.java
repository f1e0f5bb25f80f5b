package joshua.state;

import static joshua.kernel.ResourceLimit.count;

import java.util.List;
import joshua.kernel.ResourceLimit;

/** The limits of work queued for databases. */
public final class StateLimits {
  private StateLimits() {}

  /** The limits of each database. */
  public static List<ResourceLimit> list() {
    return List.of(
        count(
            "state.waiting",
            "writes, and reads, that wait for one database",
            Database.MOST_WAITING,
            0,
            "`overloaded`"));
  }
}
