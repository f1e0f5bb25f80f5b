package joshua.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The files of the project, without what is built or fetched. */
final class SourceTree {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String NOT_SOURCE = ".*/(target|node_modules|data|\\.[^/]*)/.*";
  private static final List<String> FILES = walk();

  private SourceTree() {}

  private static List<String> walk() {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> ROOT.relativize(file).toString())
          .filter(file -> !("/" + file).matches(NOT_SOURCE))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The paths, relative to the root, that are wanted. */
  static List<String> files(Predicate<String> wanted) {
    return FILES.stream().filter(wanted).toList();
  }

  static String read(String file) {
    try {
      return Files.readString(ROOT.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static long lines(String file) {
    return read(file).lines().count();
  }
}
