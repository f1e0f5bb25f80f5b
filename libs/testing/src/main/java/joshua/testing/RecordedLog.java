package joshua.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What a logger, and those below it, say while this is open. */
public final class RecordedLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final Logger logger;
  private final List<String> lines = new CopyOnWriteArrayList<>();

  /** Records the logger's lines, which has this level meanwhile. */
  public RecordedLog(String name, Level level) {
    // SLF4J returns substitutes while another thread initializes it.
    Await.until(
        "SLF4J has found Logback",
        () -> LoggerFactory.getILoggerFactory() instanceof LoggerContext);
    logger = ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(name);
    logger.setLevel(level);
    start();
    logger.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    lines.add(event.getFormattedMessage());
  }

  public List<String> lines() {
    return lines;
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    logger.setLevel(null);
  }
}
