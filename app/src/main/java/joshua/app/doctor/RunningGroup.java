package joshua.app.doctor;

import java.time.Instant;
import java.util.Map;

/**
 * The group that runs on the data directory, as it reports itself.
 *
 * @param pids of its processes, by name
 * @param ports where its parts listen, by name
 * @param programs which program a process runs, by name, if that may vary
 */
public record RunningGroup(
    Instant since,
    Map<String, Long> pids,
    Map<String, Integer> ports,
    Map<String, String> programs) {
  public RunningGroup {
    pids = Map.copyOf(pids);
    ports = Map.copyOf(ports);
    programs = Map.copyOf(programs);
  }
}
