package joshua.app.doctor;

import java.time.Instant;
import java.util.Map;

/**
 * The group that runs on the data directory, as it says itself.
 *
 * @param pids of its processes, by name
 * @param ports where its parts listen, by name
 */
public record RunningGroup(Instant since, Map<String, Long> pids, Map<String, Integer> ports) {
  public RunningGroup {
    pids = Map.copyOf(pids);
    ports = Map.copyOf(ports);
  }
}
