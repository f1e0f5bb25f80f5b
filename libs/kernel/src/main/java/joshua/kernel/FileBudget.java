package joshua.kernel;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How the files and sockets that a process may have open are divided: some are kept for what every
 * service needs beside its clients, the rest is for connections, an equal part each.
 *
 * @param limit the most that may be open at once
 * @param services how many share the process
 */
public record FileBudget(long limit, int services) {
  /** Jars, logs, pipes, what a start and a backup open for a moment. */
  static final int OF_THE_PROCESS = 256;

  /** Databases, the bus, SSH and the admin socket, and connections that are being ended. */
  static final int OF_A_SERVICE = 160;

  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final String OPEN_FILES = "Max open files";

  public FileBudget {
    if (services < 1) {
      throw new IllegalArgumentException("a budget is of at least one service");
    }
  }

  /** This process's; empty where the system doesn't tell. */
  public static Optional<FileBudget> ofThisProcess(int services) {
    Optional<Long> limit = Optional.empty();
    try {
      limit = limit(Files.readAllLines(LIMITS));
    } catch (IOException e) {
      // Another system than Linux: JMX knows, and takes a while to load.
      if (ManagementFactory.getOperatingSystemMXBean()
          instanceof com.sun.management.UnixOperatingSystemMXBean unix) {
        limit = Optional.of(unix.getMaxFileDescriptorCount());
      }
    }
    return limit.map(most -> new FileBudget(most, services));
  }

  /** The limit in force, of the lines of {@code /proc/self/limits}. */
  static Optional<Long> limit(List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith(OPEN_FILES))
        .map(line -> line.substring(OPEN_FILES.length()).strip().split("\\s+", 2)[0])
        .map(soft -> soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft))
        .findFirst();
  }

  /** How many connections each service may have, if it is to have at most so many. */
  public int connections(int most) {
    long each = (limit - OF_THE_PROCESS) / services - OF_A_SERVICE;
    return Math.clamp(each, 0, most);
  }

  /** The limit with which each service may have so many. */
  public long needed(int most) {
    return OF_THE_PROCESS + (long) services * (OF_A_SERVICE + most);
  }

  /** A sentence for whoever runs it, if each service can't have so many. */
  public Optional<String> shortage(int most) {
    return limit >= needed(most)
        ? Optional.empty()
        : Optional.of(
            "A process may have %d files and sockets open: each service serves at most %d connections, instead of %d."
                .formatted(limit, connections(most), most));
  }
}
