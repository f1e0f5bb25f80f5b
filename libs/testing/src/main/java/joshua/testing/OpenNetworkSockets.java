package joshua.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The network sockets that this JVM has open, as Linux reports them; elsewhere none are seen. Unix
 * sockets don't count: the JVM itself keeps one.
 */
final class OpenNetworkSockets {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final Path UNIX = Path.of("/proc/self/net/unix");
  private static final int INODE_COLUMN_OF_UNIX = 6;
  private static final List<Path> TABLES =
      List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));

  private OpenNetworkSockets() {}

  /** Each by the number of its inode, {@code socket:[4711]}. */
  static Set<String> ids() {
    Set<String> sockets = new TreeSet<>();
    if (!Files.isDirectory(DESCRIPTORS)) {
      return sockets;
    }
    try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
      descriptors
          .map(OpenNetworkSockets::target)
          .filter(OpenNetworkSockets::isSocket)
          .forEach(sockets::add);
      sockets.removeAll(unixSockets());
      return sockets;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> unixSockets() throws IOException {
    try (Stream<String> lines = Files.lines(UNIX)) {
      return lines
          .map(line -> line.strip().split("\\s+"))
          .filter(columns -> columns.length > INODE_COLUMN_OF_UNIX)
          .map(columns -> "socket:[" + columns[INODE_COLUMN_OF_UNIX] + "]")
          .collect(Collectors.toSet());
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      // Closed since it was listed.
      return "";
    }
  }

  private static boolean isSocket(String target) {
    return target.startsWith("socket:");
  }

  /** The system's table entries of these sockets: addresses and state, in hexadecimal. */
  static List<String> describe(Collection<String> ids) {
    return ids.stream()
        .map(id -> id + " " + line(" " + id.substring("socket:[".length(), id.length() - 1) + " "))
        .toList();
  }

  private static String line(String inode) {
    for (Path table : TABLES) {
      try (Stream<String> lines = Files.lines(table)) {
        String found = lines.filter(line -> line.contains(inode)).findFirst().orElse("");
        if (!found.isEmpty()) {
          return found.strip();
        }
      } catch (IOException | UncheckedIOException e) {
        return "(" + table + " can't be read)";
      }
    }
    return "(in no table: not connected any more)";
  }
}
