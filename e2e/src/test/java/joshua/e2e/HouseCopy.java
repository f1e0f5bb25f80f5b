package joshua.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A directory with the files of a clone and a build, as far as containers are made of them. */
record HouseCopy(Path path) {
  static HouseCopy in(Path path) {
    copyTheHouse(path);
    return new HouseCopy(path);
  }

  /** The files that the context of the images and {@code init} need. */
  private static void copyTheHouse(Path home) {
    List<String> names =
        new ArrayList<>(List.of("joshua", "LICENSE", "Dockerfile", ".dockerignore"));
    names.addAll(List.of("docker-compose.yml", ".env.example", "app/target/joshua.jar"));
    names.addAll(List.of("app/target/lib", "configs"));
    for (String name : names) {
      try (Stream<Path> files = Files.walk(BuiltProgram.HOME.resolve(name))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Path relative = BuiltProgram.HOME.relativize(file);
          if (!isSecret(relative)) {
            Path copy = home.resolve(relative);
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Whether {@code init} creates it. */
  private static boolean isSecret(Path relative) {
    return relative.startsWith("configs/secrets") || relative.startsWith("configs/redis");
  }

  Path file(String name) {
    return path.resolve(name);
  }

  String read(String name) {
    try {
      return Files.readString(file(name)).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The value of a variable in {@code .env}; the last line counts. */
  String variable(String name) {
    return read(".env")
        .lines()
        .filter(line -> line.startsWith(name + "="))
        .reduce((first, last) -> last)
        .orElseThrow()
        .substring(name.length() + 1);
  }

  void write(String name, String text) {
    try {
      Files.writeString(file(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void append(String name, String text) {
    try {
      Files.writeString(file(name), text, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
