package joshua.app;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import joshua.kernel.Json;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of a group in its data directory, a JSON object a line: what a crash leaves behind. It
 * goes on in a new file when one is full, and the oldest is deleted. Each line is written at once,
 * by the thread that logs it.
 */
final class LogFile extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  /** Bytes of one file, at most. */
  static final long BYTES = 8L * 1024 * 1024;

  /** Full files that are kept, beside the one that is written. */
  static final int OLDER = 4;

  static final String DIRECTORY = "log";
  private static final String NAME = "joshua.log";
  private static final Logger log = LoggerFactory.getLogger(LogFile.class);

  private final Path directory;
  private OutputStream out;
  private long written;

  private LogFile(Path directory) throws IOException {
    this.directory = directory;
    this.out = append();
    setName("file");
  }

  /** The file that is written, in a data directory. */
  static Path in(Path data) {
    return data.resolve(DIRECTORY).resolve(NAME);
  }

  /** Makes the directory for logs, which quote what others have said: for its owner alone. */
  static Path directory(Path data) throws IOException {
    return Files.createDirectories(
        data.resolve(DIRECTORY),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /**
   * Whatever is logged from now on is written there, until it is closed.
   *
   * @param alone whether standard error has no log lines any more
   */
  static AutoCloseable open(Path data, boolean alone) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    try {
      LogFile file = new LogFile(directory(data));
      file.setContext(context);
      file.start();
      root.addAppender(file);
      if (alone) {
        root.detachAppender(Logging.STDERR);
      }
      return file;
    } catch (IOException e) {
      log.warn("the log file {} can't be written, so standard error has the log alone", in(data), e);
      return () -> {};
    }
  }

  private OutputStream append() throws IOException {
    Path file = directory.resolve(NAME);
    OutputStream opened =
        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    written = Files.size(file);
    return opened;
  }

  @Override
  protected void append(ILoggingEvent event) {
    byte[] line =
        (Json.write(LogRing.entry(0, event).json()) + "\n").getBytes(StandardCharsets.UTF_8);
    try {
      if (written + line.length > BYTES) {
        next();
      }
      out.write(line);
      written += line.length;
    } catch (IOException e) {
      addError("a log line can't be written", e);
    }
  }

  private void next() throws IOException {
    out.close();
    for (int number = OLDER; number > 0; number--) {
      Path full = numbered(directory, number - 1);
      if (Files.exists(full)) {
        Files.move(full, numbered(directory, number), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    out = append();
  }

  private static Path numbered(Path directory, int number) {
    return directory.resolve(number == 0 ? NAME : NAME + "." + number);
  }

  /** The newest lines in a data directory's log files that are wanted, oldest first. */
  static List<JsonNode> newest(Path data, int count, Predicate<JsonNode> wanted)
      throws IOException {
    Deque<JsonNode> newest = new ArrayDeque<>();
    for (int number = OLDER; number >= 0; number--) {
      Path file = numbered(data.resolve(DIRECTORY), number);
      if (!Files.exists(file)) {
        continue;
      }
      try (BufferedReader reader = Files.newBufferedReader(file)) {
        for (String text = reader.readLine(); text != null; text = reader.readLine()) {
          keep(text, count, wanted, newest);
        }
      }
    }
    return new ArrayList<>(newest);
  }

  private static void keep(
      String text, int count, Predicate<JsonNode> wanted, Deque<JsonNode> newest) {
    try {
      JsonNode line = Json.parse(text);
      if (wanted.test(line)) {
        newest.addLast(line);
        if (newest.size() > count) {
          newest.removeFirst();
        }
      }
    } catch (Json.Malformed e) {
      // The line under way when the process was killed.
    }
  }

  @Override
  public void close() throws IOException {
    ((LoggerContext) LoggerFactory.getILoggerFactory())
        .getLogger(Logger.ROOT_LOGGER_NAME)
        .detachAppender(this);
    stop();
    out.close();
  }
}
