package joshua.testing;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import org.slf4j.LoggerFactory;

/**
 * A logger to which a test can add an appender. SLF4J hands out substitutes for as long as another
 * thread, of another test, has it find its provider.
 */
public final class LogbackLogger {
  private LogbackLogger() {}

  public static Logger of(String name) {
    Await.until(
        "SLF4J has found Logback",
        () -> LoggerFactory.getILoggerFactory() instanceof LoggerContext);
    return ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(name);
  }
}
