package joshua.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.List;
import joshua.kernel.KnownSettings.LogFormat;
import joshua.kernel.KnownSettings.LogLevel;
import net.logstash.logback.encoder.LogstashEncoder;
import net.logstash.logback.fieldnames.LogstashFieldNames;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Configures logging: to standard error, as text for people or as JSON for machines (REQ-JC-08),
 * and the newest lines are kept for {@code mad-logs}. Everything in the MDC, {@code correlation_id}
 * first of all, is a member of its own in the JSON.
 */
public final class LoggingSetup extends ContextAwareBase implements Configurator {
  /** The appender that writes to standard error. */
  static final String STDERR = "stderr";

  private static final String TEXT =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSS'Z',UTC} %-5level %logger{0} [%thread] %msg"
          + "%replace(  correlation_id=%X{correlation_id}){'  correlation_id=$', ''}%n";

  /**
   * Loggers of libraries that report what we already report in a sentence: that a port is taken,
   * that a connection to Redis is gone, that an SSH client violates the protocol.
   */
  private static final List<String> SPOKEN_FOR =
      List.of("io.javalin.Javalin", "io.lettuce.core.RedisChannelHandler", "org.apache.sshd");

  /** The configuration until the settings have been read; logback finds it as a service. */
  @Override
  public ExecutionStatus configure(LoggerContext context) {
    configure(context, LogFormat.TEXT, LogLevel.WARN, true);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  static void apply(LogFormat format, LogLevel level, boolean terminal) {
    configure((LoggerContext) LoggerFactory.getILoggerFactory(), format, level, terminal);
  }

  private static void configure(
      LoggerContext context, LogFormat format, LogLevel level, boolean terminal) {
    context.reset();
    boolean text =
        switch (format) {
          case TEXT -> true;
          case JSON -> false;
          case AUTO -> terminal;
        };
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setName(STDERR);
    appender.setTarget(ConsoleTarget.SystemErr.getName());
    PrintableEncoder encoder =
        new PrintableEncoder(text ? textEncoder(context) : jsonEncoder(context));
    encoder.setContext(context);
    encoder.start();
    appender.setEncoder(encoder);
    appender.start();

    ThrottledLoggers throttled = new ThrottledLoggers();
    throttled.setContext(context);
    throttled.start();
    context.addTurboFilter(throttled);

    ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.addAppender(appender);
    LogRing ring = LogRing.OF_THIS_PROCESS;
    ring.setContext(context);
    ring.start();
    root.addAppender(ring);
    MemoryErrorAppender failures = new MemoryErrorAppender();
    failures.setContext(context);
    failures.start();
    root.addAppender(failures);
    root.setLevel(levelOfOthers(level));
    context.getLogger("joshua").setLevel(Level.valueOf(level.name()));
    if (level.compareTo(LogLevel.INFO) <= 0) {
      SPOKEN_FOR.forEach(name -> context.getLogger(name).setLevel(Level.OFF));
      // The embedding model's library warns about a missing graphics card that it doesn't need.
      context.getLogger("ai.djl").setLevel(Level.ERROR);
    }
  }

  /**
   * Libraries log at INFO what only matters for troubleshooting, and at DEBUG what must not be
   * visible: whole requests with their tokens, whole messages.
   */
  private static Level levelOfOthers(LogLevel level) {
    return switch (level) {
      case ERROR -> Level.ERROR;
      case WARN, INFO -> Level.WARN;
      case DEBUG, TRACE -> Level.INFO;
    };
  }

  private static Encoder<ILoggingEvent> textEncoder(LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(TEXT);
    encoder.start();
    return encoder;
  }

  private static Encoder<ILoggingEvent> jsonEncoder(LoggerContext context) {
    LogstashFieldNames names = new LogstashFieldNames();
    names.setTimestamp("timestamp");
    names.setVersion("[ignore]");
    names.setLevelValue("[ignore]");
    names.setLogger("logger");
    names.setThread("thread");
    LogstashEncoder encoder = new LogstashEncoder();
    encoder.setContext(context);
    encoder.setFieldNames(names);
    encoder.setTimeZone("UTC");
    encoder.start();
    return encoder;
  }
}
