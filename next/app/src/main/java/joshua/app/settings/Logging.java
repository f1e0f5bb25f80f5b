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
import ch.qos.logback.core.spi.ContextAwareBase;
import joshua.network.ToolCall;
import joshua.service.admin.RecentLog;
import org.slf4j.LoggerFactory;

/**
 * Logs to standard error: warnings, until a command that serves asks for more. A class in place of
 * logback.xml, which costs a start half a second.
 */
public final class Logging extends ContextAwareBase implements Configurator {
  private static final String PATTERN =
      "%d{HH:mm:ss.SSS} %-5level %logger{0} %X{correlation_id} - %replace(%msg){'\\p{Cntrl}','?'}%n";

  private static final String CONSOLE = "console";

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setName(CONSOLE);
    console.setContext(context);
    console.setTarget("System.err");
    console.setEncoder(text(context));
    console.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(console);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  private static Encoder<ILoggingEvent> text(LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(PATTERN);
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

  /**
   * Logs what our own code says from a level on; libraries stay at warnings.
   *
   * @return the last of it
   */
  public static RecentLog configure(CommonSettings settings) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.getLogger("joshua").setLevel(Level.toLevel(settings.logLevel(), Level.INFO));
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    boolean json =
        switch (settings.logFormat()) {
          case TEXT -> false;
          case JSON -> true;
          case AUTO -> !Boolean.getBoolean("joshua.terminal");
        };
    if (json && root.getAppender(CONSOLE) instanceof ConsoleAppender<ILoggingEvent> console) {
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
