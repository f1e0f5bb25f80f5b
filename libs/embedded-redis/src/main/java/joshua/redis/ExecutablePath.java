package joshua.redis;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The directories in which programs are looked for, as in the environment variable {@code PATH}.
 */
record ExecutablePath(String text) {
  static ExecutablePath ofThisProcess() {
    return new ExecutablePath(Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin"));
  }

  /** The first file of this name that can be executed. */
  Optional<Path> find(String program) {
    return Stream.of(text.split(File.pathSeparator))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, program).toAbsolutePath())
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }
}
