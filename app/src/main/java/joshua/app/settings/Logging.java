package joshua.app.settings;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.RolloverFailure;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import joshua.kernel.PrivateFile;
import joshua.network.Access;
import joshua.network.ToolCall;
import joshua.service.admin.RecentLog;
import org.slf4j.LoggerFactory;

/**
 * Logs to standard error: warnings, until a command that serves asks for more. A class in place of
 * logback.xml, which costs a start half a second.
 */
public final class Logging extends ContextAwareBase implements Configurator {
  private static final String PATTERN =
      "%d{HH:mm:ss.SSS} %-5level %logger{0} %X{correlation_id} - %replace(%msg){'[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]','?'}%n";

  private static final String CONSOLE = "console";
  private static final int PREDECESSORS = 3;
  private static final long MAX_BYTES = 10 * FileSize.MB_COEFFICIENT;

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setName(CONSOLE);
    console.setContext(context);
    console.setTarget("System.err");
    console.setEncoder(text(context, PATTERN));
    console.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(console);
    context.getLogger("org.apache.sshd").setLevel(Level.ERROR); // it warns of each scan of a port
    context.getLogger("io.javalin.Javalin").setLevel(Level.OFF); // it throws what it logs
    context.getLogger("com.networknt").setLevel(Level.OFF); // so does this
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  private static Encoder<ILoggingEvent> text(LoggerContext context, String pattern) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(pattern);
    encoder.start();
    return encoder;
  }

  private static Encoder<ILoggingEvent> json(LoggerContext context) {
    JsonEncoder encoder = new JsonEncoder();
    encoder.setContext(context);
    encoder.setWithSequenceNumber(false);
    encoder.setWithNanoseconds(false);
    encoder.setWithContext(false);
    encoder.setWithMarkers(false);
    encoder.setWithKVPList(false);
    encoder.setWithMessage(false);
    encoder.setWithArguments(false);
    encoder.setWithFormattedMessage(true);
    encoder.start();
    return encoder;
  }

  /** Starts the file of what administrators do; the result ends it. */
  public static AutoCloseable audit(Path directory) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    var file =
        file(
            directory.resolve("audit.log"),
            new FixedWindowRollingPolicy(),
            text(context, "%msg%n"),
            context);
    Logger audit = context.getLogger(Access.AUDIT_LOGGER);
    audit.setLevel(Level.INFO);
    audit.setAdditive(false);
    audit.addAppender(file);
    return () -> {
      audit.detachAppender(file);
      file.stop();
    };
  }

  /** Starts a file that only its owner can read, with three predecessors. */
  private static RollingFileAppender<ILoggingEvent> file(
      Path path,
      FixedWindowRollingPolicy names,
      Encoder<ILoggingEvent> encoder,
      LoggerContext context) {
    RollingFileAppender<ILoggingEvent> file =
        new RollingFileAppender<>() {
          @Override
          public void openFile(String name) throws IOException {
            PrivateFile.createIfAbsent(Path.of(name));
            super.openFile(name);
          }
        };
    file.setContext(context);
    file.setFile(path.toString());
    names.setContext(context);
    names.setParent(file);
    names.setMaxIndex(PREDECESSORS);
    names.setFileNamePattern(path + ".%i");
    names.start();
    SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
    size.setContext(context);
    size.setMaxFileSize(new FileSize(MAX_BYTES));
    size.setCheckIncrement(Duration.buildByMilliseconds(1_000));
    size.start();
    file.setRollingPolicy(names);
    file.setTriggeringPolicy(size);
    file.setEncoder(encoder);
    file.start();
    return file;
  }

  /**
   * Rotates a file that is the JVM's standard output, too, and so must stay the same one: what
   * becomes a predecessor is a copy. What the JVM itself writes meanwhile may get lost.
   */
  private static final class CopyingPolicy extends FixedWindowRollingPolicy {
    @Override
    public void rollover() {
      Path file = Path.of(getActiveFileName());
      Path copy = Path.of(file + ".new");
      Path kept = Path.of(file + ".0");
      try {
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING); // and its mode
        Files.move(file, kept);
        Files.move(copy, file);
        super.rollover();
        Files.move(kept, file);
        try (FileChannel emptied = FileChannel.open(file, StandardOpenOption.WRITE)) {
          emptied.truncate(0);
        }
      } catch (IOException e) {
        throw new RolloverFailure("%s can't be rotated".formatted(file), e);
      }
    }
  }

  /**
   * Logs what our own code says from a level on; libraries stay at warnings.
   *
   * @param output the file that is standard error, if that is to be rotated
   * @return the last of it
   */
  public static RecentLog configure(CommonSettings settings, Optional<Path> output) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.getLogger("joshua").setLevel(Level.toLevel(settings.logLevel, Level.INFO));
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    boolean json =
        switch (settings.logFormat) {
          case TEXT -> false;
          case JSON -> true;
          case AUTO -> !Boolean.getBoolean("joshua.terminal");
        };
    Encoder<ILoggingEvent> encoder = json ? json(context) : text(context, PATTERN);
    if (output.isPresent()) {
      root.detachAppender(CONSOLE);
      root.addAppender(file(output.get(), new CopyingPolicy(), encoder, context));
    } else if (root.getAppender(CONSOLE) instanceof ConsoleAppender<ILoggingEvent> console) {
      console.setEncoder(encoder);
    }
    RecentLog recent = new RecentLog();
    AppenderBase<ILoggingEvent> keeping =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            recent.add(
                event.getInstant(),
                org.slf4j.event.Level.valueOf(event.getLevel().toString()),
                event.getLoggerName(),
                event.getMDCPropertyMap().get(ToolCall.LOG_KEY),
                event.getFormattedMessage()
                    + (event.getThrowableProxy() == null
                        ? ""
                        : "\n" + ThrowableProxyUtil.asString(event.getThrowableProxy())));
          }
        };
    keeping.setContext(context);
    keeping.start();
    root.addAppender(keeping);
    return recent;
  }
}
