package joshua.app.group;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** The checksum of a build, by which builds of one version can be told apart. */
final class Build {
  private Build() {}

  /** The checksum of this program's own jars; empty where it runs from something else. */
  static Optional<String> ofThisProgram() throws IOException {
    try {
      URL place = Build.class.getProtectionDomain().getCodeSource().getLocation();
      Path jar = Path.of(place.toURI());
      return Files.isRegularFile(jar) ? Optional.of(checksum(jar)) : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  /** That of a jar and of those of its libraries that are ours. */
  static String checksum(Path jar) throws IOException {
    CRC32 sum = new CRC32();
    sum.update(Files.readAllBytes(jar));
    try (Stream<Path> files = Files.list(jar.resolveSibling("lib"))) {
      List<Path> own =
          files
              .filter(file -> file.getFileName().toString().startsWith("joshua-"))
              .sorted()
              .toList();
      for (Path file : own) {
        sum.update(Files.readAllBytes(file));
      }
    }
    return Long.toHexString(sum.getValue());
  }
}
