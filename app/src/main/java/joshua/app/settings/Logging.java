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
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import java.io.IOException;
import java.nio.file.Path;
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
  private static final int AUDIT_FILES = 3;
  private static final long AUDIT_BYTES = 10 * FileSize.MB_COEFFICIENT;

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    Console console = new Console();
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
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /** Standard error. */
  private static final class Console extends ConsoleAppender<ILoggingEvent> {
    void betweenLines(FileWork work) throws IOException {
      streamWriteLock.lock();
      try {
        work.run();
      } finally {
        streamWriteLock.unlock();
      }
    }
  }

  /** Work with files. */
  public interface FileWork {
    void run() throws IOException;
  }

  /** Does something while no line is being written to standard error; it mustn't log. */
  public static void betweenLines(FileWork work) throws IOException {
    if (LoggerFactory.getILoggerFactory()
            instanceof LoggerContext context // not before there is one
        && context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).getAppender(CONSOLE)
            instanceof Console console) {
      console.betweenLines(work);
    } else {
      work.run();
    }
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

  /** Starts the file of what administrators do, with three predecessors; the result ends it. */
  public static AutoCloseable audit(Path directory) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    RollingFileAppender<ILoggingEvent> file =
        new RollingFileAppender<>() {
          @Override
          public void openFile(String name) throws IOException {
            PrivateFile.createIfAbsent(Path.of(name));
            super.openFile(name);
          }
        };
    file.setContext(context);
    file.setFile(directory.resolve("audit.log").toString());
    FixedWindowRollingPolicy names = new FixedWindowRollingPolicy();
    names.setContext(context);
    names.setParent(file);
    names.setMaxIndex(AUDIT_FILES);
    names.setFileNamePattern(directory.resolve("audit.log.%i").toString());
    names.start();
    SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
    size.setContext(context);
    size.setMaxFileSize(new FileSize(AUDIT_BYTES));
    size.setCheckIncrement(Duration.buildByMilliseconds(1_000));
    size.start();
    file.setRollingPolicy(names);
    file.setTriggeringPolicy(size);
    file.setEncoder(text(context, "%msg%n"));
    file.start();
    Logger audit = context.getLogger(Access.AUDIT_LOGGER);
    audit.setLevel(Level.INFO);
    audit.setAdditive(false);
    audit.addAppender(file);
    return () -> {
      audit.detachAppender(file);
      file.stop();
    };
  }

  /**
   * Logs what our own code says from a level on; libraries stay at warnings.
   *
   * @return the last of it
   */
  public static RecentLog configure(CommonSettings settings) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.getLogger("joshua").setLevel(Level.toLevel(settings.logLevel, Level.INFO));
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    boolean json =
        switch (settings.logFormat) {
          case TEXT -> false;
          case JSON -> true;
          case AUTO -> !Boolean.getBoolean("joshua.terminal");
        };
    if (json && root.getAppender(CONSOLE) instanceof Console console) {
      console.setEncoder(json(context));
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
