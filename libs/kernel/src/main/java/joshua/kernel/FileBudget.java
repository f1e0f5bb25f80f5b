package joshua.kernel;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How the file descriptors of a process are divided: some are reserved for what every service needs
 * besides its clients; the rest is for connections, an equal part for each service.
 *
 * @param limit the maximum number of open descriptors
 * @param services how many services share the process
 */
public record FileBudget(long limit, int services) {
  /** Jars, logs, pipes, and what a start and a backup open briefly. */
  static final int OF_THE_PROCESS = 256;

  /** Databases, the bus, SSH, the admin socket, and connections that are being closed. */
  static final int OF_A_SERVICE = 160;

  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final String OPEN_FILES = "Max open files";

  public FileBudget {
    if (services < 1) {
      throw new IllegalArgumentException("a budget is of at least one service");
    }
  }

  /** The budget of this process; empty if the system doesn't report a limit. */
  public static Optional<FileBudget> ofThisProcess(int services) {
    Optional<Long> limit = Optional.empty();
    try {
      limit = limit(Files.readAllLines(LIMITS));
    } catch (IOException e) {
      // On systems other than Linux only JMX knows it, and takes a while to load.
      if (ManagementFactory.getOperatingSystemMXBean()
          instanceof com.sun.management.UnixOperatingSystemMXBean unix) {
        limit = Optional.of(unix.getMaxFileDescriptorCount());
      }
    }
    return limit.map(most -> new FileBudget(most, services));
  }

  /** Reads the soft limit from the lines of {@code /proc/self/limits}. */
  static Optional<Long> limit(List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith(OPEN_FILES))
        .map(line -> line.substring(OPEN_FILES.length()).strip().split("\\s+", 2)[0])
        .map(soft -> soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft))
        .findFirst();
  }

  /** How many connections each service may have, {@code most} at most. */
  public int connections(int most) {
    long each = (limit - OF_THE_PROCESS) / services - OF_A_SERVICE;
    return Math.clamp(each, 0, most);
  }

  /** The limit at which each service may have {@code most} connections. */
  public long needed(int most) {
    return OF_THE_PROCESS + (long) services * (OF_A_SERVICE + most);
  }

  /** A warning for the admin if the services can't each have {@code most} connections. */
  public Optional<String> shortage(int most) {
    return limit >= needed(most)
        ? Optional.empty()
        : Optional.of(
            "A process may have %d files and sockets open: each service serves at most %d connections, instead of %d."
                .formatted(limit, connections(most), most));
  }
}
