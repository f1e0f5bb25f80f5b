package joshua.rules;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The files of the project, as they are in the working directory. */
final class ProjectFiles {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Set<String> NOT_OURS =
      Set.of("target", "node_modules", ".git", ".idea", ".vscode", "data");

  private ProjectFiles() {}

  /** Every file whose name ends with {@code ending}, ordered by path. */
  static List<Path> files(String ending) {
    return files(ROOT, path -> path.toString().endsWith(ending));
  }

  static List<Path> files(Path root, Predicate<Path> wanted) {
    List<Path> found = new ArrayList<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(
                Path directory, BasicFileAttributes attributes) {
              return NOT_OURS.contains(directory.getFileName().toString())
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (wanted.test(file)) {
                found.add(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found.stream().sorted().toList();
  }

  /** The modules with code of their own. */
  static List<Path> modules() {
    return files("pom.xml").stream()
        .map(Path::getParent)
        .filter(module -> Files.isDirectory(module.resolve("src/main/java")))
        .toList();
  }

  /** The classes of all modules, without those of tests. */
  static JavaClasses classes() {
    return Classes.ALL;
  }

  /** Read once, at the first call. */
  private static final class Classes {
    static final JavaClasses ALL =
        new ClassFileImporter()
            .importPaths(
                modules().stream().map(module -> module.resolve("target/classes")).toList());
  }

  static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file's name as shown to people. */
  static String name(Path file) {
    return file.startsWith(ROOT) ? ROOT.relativize(file).toString() : file.toString();
  }
}
