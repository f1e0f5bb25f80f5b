package joshua.app;

import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes {@code run.json}, and updates it when Redis is restarted. Filled and published by the
 * thread that starts the group, corrected by the one that restarts Redis.
 */
final class RunFileWriter {
  private static final Logger log = LoggerFactory.getLogger(RunFileWriter.class);

  private final DataDirectory data;
  private final UUID epoch = UUID.randomUUID();
  private final Map<String, Long> pids = new ConcurrentHashMap<>();
  private final Map<String, String> programs = new ConcurrentHashMap<>();
  private final Instant startedAt;
  private volatile @Nullable Map<String, Integer> ports;

  RunFileWriter(DataDirectory data, Instant startedAt) {
    this.data = data;
    this.startedAt = startedAt;
    pids.put(RunFile.SELF, ProcessHandle.current().pid());
  }

  void runs(String name, long pid) {
    pids.put(name, pid);
  }

  /** Sets the process and the program of a part that may be different programs. */
  void runs(String name, long pid, String program) {
    programs.put(name, program);
    runs(name, pid);
  }

  /** The program of such a part; empty if it isn't one of this run. */
  Optional<String> program(String name) {
    return Optional.ofNullable(programs.get(name));
  }

  /** Publishes the file with these ports, by name. */
  void publish(Map<String, Integer> listening) throws IOException {
    RunFile told = write(listening);
    ports = Map.copyOf(listening);
    // A process replaced in the meantime isn't in the file yet.
    if (!told.pids().equals(pids)) {
      write(listening);
    }
  }

  /** Corrects what has been published. */
  void runsAnew(String name, long pid, String program) {
    runs(name, pid, program);
    Map<String, Integer> listening = ports;
    if (listening != null) {
      try {
        write(listening);
      } catch (IOException e) {
        log.warn("{} still names an earlier process of {}", RunFile.NAME, name, e);
      }
    }
  }

  private RunFile write(Map<String, Integer> listening) throws IOException {
    RunFile told = new RunFile(epoch, startedAt, pids, listening, programs);
    data.publish(told);
    return told;
  }
}
