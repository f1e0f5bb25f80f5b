package joshua.app.group;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import joshua.app.settings.Logging;
import joshua.kernel.PrivateFile;
import joshua.kernel.Recurring;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The output file of a group in the background, with the log and the JVM's own messages. The JVM
 * keeps it open, so it is rotated by copying and emptying, not by renaming. No line of the log gets
 * lost between these two; one of the JVM's may.
 */
final class OutputFile {
  static final int PREDECESSORS = 3;
  private static final long MAX_BYTES = 10L << 20;
  private static final long LOOK_EVERY_MS = 1_000;
  private static final Logger log = LoggerFactory.getLogger(OutputFile.class);

  private final Path path;
  private final long maxBytes;
  private boolean failing;

  OutputFile(Path path, long maxBytes) {
    this.path = path;
    this.maxBytes = maxBytes;
  }

  /** That of a group in a data directory, which is made if need be; only its owner can read it. */
  static OutputFile in(Path data) throws IOException {
    Path logs = data.resolve("logs");
    PrivateFile.createDirectories(logs);
    Path file = logs.resolve("joshua.log");
    PrivateFile.createIfAbsent(file);
    return new OutputFile(file, MAX_BYTES);
  }

  Path path() {
    return path;
  }

  /** Looks at its size each second from now on, as long as this process lives. */
  void watch() {
    Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().name("output-file").factory())
        .scheduleWithFixedDelay(
            Recurring.surviving(this::look), LOOK_EVERY_MS, LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    try {
      rotateIfLarge();
      failing = false;
    } catch (IOException e) {
      if (!failing) {
        log.warn("{} is large and can't be rotated", path, e);
      }
      failing = true;
    }
  }

  void rotateIfLarge() throws IOException {
    if (Files.size(path) > maxBytes) {
      Logging.betweenLines(this::rotate);
    }
  }

  private void rotate() throws IOException {
    Path copy = predecessor(0);
    Files.copy(path, copy, StandardCopyOption.REPLACE_EXISTING); // and its mode
    for (int number = PREDECESSORS; number > 0; number--) {
      if (Files.exists(predecessor(number - 1))) {
        Files.move(
            predecessor(number - 1), predecessor(number), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
      file.truncate(0);
    }
  }

  private Path predecessor(int number) {
    return path.resolveSibling("%s.%d".formatted(path.getFileName(), number));
  }
}
