package joshua.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.encoder.EncoderBase;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.RolloverFailure;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.rolling.helper.CompressionMode;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
 * The log file of a group in its data directory, one JSON object per line: what remains after a
 * crash. When a file is full a new one is started, and the oldest is deleted. Each line is written
 * immediately, by the thread that logs it.
 */
final class LogFile implements AutoCloseable {
  /** The size in bytes at which a file is full. */
  static final long BYTES = 8L * 1024 * 1024;

  /** Full files that are kept, besides the one that is being written. */
  static final int OLDER = 4;

  static final String DIRECTORY = "log";
  private static final String NAME = "joshua.log";
  private static final Logger log = LoggerFactory.getLogger(LogFile.class);

  private final RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();

  private LogFile(Path directory, LoggerContext context) {
    Path file = directory.resolve(NAME);
    SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
    size.setContext(context);
    size.setMaxFileSize(new FileSize(BYTES));
    // Checked at every line, not once a minute.
    size.setCheckIncrement(Duration.buildByMilliseconds(0));
    LineEncoder lines = new LineEncoder();
    lines.setContext(context);
    appender.setContext(context);
    appender.setName("file");
    appender.setFile(file.toString());
    appender.setRollingPolicy(new NumberedFiles(directory));
    appender.setTriggeringPolicy(size);
    appender.setEncoder(lines);
    lines.start();
    size.start();
    appender.start();
  }

  /**
   * Like logback's window of numbered files, whose patterns don't support a percent sign in a path.
   */
  private record NumberedFiles(Path directory) implements RollingPolicy {
    @Override
    public void rollover() {
      try {
        for (int number = OLDER; number > 0; number--) {
          Path full = numbered(directory, number - 1);
          if (Files.exists(full)) {
            Files.move(full, numbered(directory, number), StandardCopyOption.REPLACE_EXISTING);
          }
        }
      } catch (IOException e) {
        throw new RolloverFailure("the log file can't be moved", e);
      }
    }

    @Override
    public String getActiveFileName() {
      return directory.resolve(NAME).toString();
    }

    @Override
    public CompressionMode getCompressionMode() {
      return CompressionMode.NONE;
    }

    @Override
    public void setParent(FileAppender<?> parent) {
      // It writes to the file of that name.
    }

    @Override
    public void start() {
      // There is nothing to open.
    }

    @Override
    public void stop() {
      // There is nothing to close.
    }

    @Override
    public boolean isStarted() {
      return true;
    }
  }

  /** Writes lines in the format of {@code mad-logs -o json}. */
  private static final class LineEncoder extends EncoderBase<ILoggingEvent> {
    private static final byte[] NOTHING = {};

    @Override
    public byte[] headerBytes() {
      return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
      return (Json.write(LogRing.entry(0, event).json()) + "\n").getBytes(UTF_8);
    }

    @Override
    public byte[] footerBytes() {
      return NOTHING;
    }
  }

  /** The file that is being written, in a data directory. */
  static Path in(Path data) {
    return data.resolve(DIRECTORY).resolve(NAME);
  }

  /** Creates the directory for logs, which quote what others have sent: for its owner alone. */
  static Path directory(Path data) throws IOException {
    return Files.createDirectories(
        data.resolve(DIRECTORY),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /**
   * From now on, writes everything that is logged there, until it is closed.
   *
   * @param alone whether standard error no longer receives log lines
   */
  static AutoCloseable open(Path data, boolean alone) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    try {
      LogFile file = new LogFile(directory(data), context);
      if (!file.appender.isStarted()) {
        throw new AccessDeniedException(in(data).toString());
      }
      root.addAppender(file.appender);
      if (alone) {
        root.detachAppender(LoggingSetup.STDERR);
      }
      return file;
    } catch (IOException e) {
      log.warn(
          "the log file {} can't be written, so standard error has the log alone", in(data), e);
      return () -> {};
    }
  }

  private static Path numbered(Path directory, int number) {
    return directory.resolve(number == 0 ? NAME : NAME + "." + number);
  }

  /** The newest matching lines in a data directory's log files, oldest first. */
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
    } catch (Json.MalformedJsonException e) {
      // The line being written when the process was killed.
    }
  }

  @Override
  public void close() {
    ((LoggerContext) LoggerFactory.getILoggerFactory())
        .getLogger(Logger.ROOT_LOGGER_NAME)
        .detachAppender(appender);
    appender.stop();
  }
}
