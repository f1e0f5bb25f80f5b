package joshua.app.doctor;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the process that listens on a port, as far as Linux reports it: not for other users'
 * processes, and other systems have no {@code /proc}.
 */
final class PortHolder {
  private static final Path PROC = Path.of("/proc");
  private static final List<Path> TABLES =
      List.of(PROC.resolve("net/tcp"), PROC.resolve("net/tcp6"));
  private static final String LISTENS = "0A";
  private static final int LOCAL_ADDRESS = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;
  private static final int HEX = 16;

  private PortHolder() {}

  static Optional<Long> of(int port) {
    Set<String> sockets = new HashSet<>();
    TABLES.forEach(table -> addSockets(table, port, sockets));
    if (sockets.isEmpty()) {
      return Optional.empty();
    }
    return entries(PROC, "[0-9]*").stream()
        .filter(process -> holds(process, sockets))
        .map(process -> Long.parseLong(process.getFileName().toString()))
        .findFirst();
  }

  /** A process as shown to people: its id and its program. */
  static String text(long pid) {
    return "process %d%s"
        .formatted(
            pid,
            ProcessHandle.of(pid)
                .flatMap(process -> process.info().command())
                .map(command -> " (" + command + ")")
                .orElse(""));
  }

  private static void addSockets(Path table, int port, Set<String> sockets) {
    try {
      for (String line : Files.readAllLines(table)) {
        String[] columns = line.strip().split("\\s+", -1);
        if (columns.length > INODE
            && columns[STATE].equals(LISTENS)
            && localPort(columns[LOCAL_ADDRESS]) == port) {
          sockets.add("socket:[" + columns[INODE] + "]");
        }
      }
    } catch (IOException e) {
      // There is no such table here: nothing is found in it.
    }
  }

  private static int localPort(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), HEX);
  }

  private static boolean holds(Path process, Set<String> sockets) {
    return entries(process.resolve("fd"), "*").stream()
        .anyMatch(file -> {
          try {
            return sockets.contains(Files.readSymbolicLink(file).toString());
          } catch (IOException e) {
            return false;
          }
        });
  }

  private static List<Path> entries(Path directory, String glob) {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, glob)) {
      stream.forEach(entries::add);
    } catch (IOException e) {
      // Another user's process, or one that has ended: it isn't among those found.
    }
    return entries;
  }
}
