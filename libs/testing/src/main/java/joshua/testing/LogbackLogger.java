package joshua.testing;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import org.slf4j.LoggerFactory;

/**
 * A logger to which a test can add an appender. SLF4J returns substitutes while another thread
 * initializes it.
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
