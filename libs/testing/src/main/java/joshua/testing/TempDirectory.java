package joshua.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary directory of a test, deleted with its content when closed. */
public record TempDirectory(Path path) implements AutoCloseable {
  public static TempDirectory create(String name) throws IOException {
    return new TempDirectory(Files.createTempDirectory("joshua-" + name + "-"));
  }

  @Override
  public void close() {
    try (Stream<Path> walk = Files.walk(path)) {
      List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
      for (Path entry : deepestFirst) {
        Files.deleteIfExists(entry);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("can't remove " + path, e);
    }
  }
}
