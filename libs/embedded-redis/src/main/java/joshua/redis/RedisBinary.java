package joshua.redis;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;

/** The redis-server that ships in the jar {@code org.signal:embedded-redis}. */
final class RedisBinary {
  private static final String VERSION = "7.0.15";

  private RedisBinary() {}

  /**
   * Unpacks the binary for this machine into {@code directory}, unless it is there already.
   *
   * @return the executable file
   */
  static Path unpack(Path directory) throws IOException, CannotStartException {
    String name = name(System.getProperty("os.name"), System.getProperty("os.arch"));
    URL resource = RedisBinary.class.getResource("/" + name);
    if (resource == null) {
      throw new CannotStartException(
          "The jar embedded-redis with %s is missing in this build. %s"
              .formatted(name, EmbeddedRedis.USE_ANOTHER));
    }
    Path binary = directory.resolve(name);
    long size = resource.openConnection().getContentLengthLong();
    if (Files.isExecutable(binary) && Files.size(binary) == size) {
      return binary;
    }
    Path fresh = Files.createTempFile(directory, name + ".", ".new");
    try (InputStream in = resource.openStream()) {
      Files.copy(in, fresh, StandardCopyOption.REPLACE_EXISTING);
    }
    Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwx------"));
    Files.move(fresh, binary, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return binary;
  }

  static String name(String osName, String osArch) throws CannotStartException {
    String os = osName.toLowerCase(Locale.ROOT);
    String system = os.startsWith("linux") ? "linux" : os.startsWith("mac") ? "darwin" : "";
    String machine =
        switch (osArch.toLowerCase(Locale.ROOT)) {
          case "amd64", "x86_64" -> "amd64";
          case "aarch64", "arm64" -> "arm64";
          case "x86", "i386", "i686" -> "386";
          default -> "";
        };
    if (system.isEmpty() || machine.isEmpty() || (system + machine).equals("darwin386")) {
      throw new CannotStartException(
          "There is no embedded Redis for %s on %s. %s"
              .formatted(osName, osArch, EmbeddedRedis.USE_ANOTHER));
    }
    return "redis-server-%s-%s-%s".formatted(VERSION, system, machine);
  }
}
