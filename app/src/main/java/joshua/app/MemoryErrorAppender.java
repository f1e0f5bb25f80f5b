package joshua.app;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import joshua.kernel.ProcessWatchdog;

/**
 * Reports every logged failure to the watchdog. Libraries catch an OutOfMemoryError on their own
 * threads, log it and go on; so does any code that keeps a thread alive.
 */
final class MemoryErrorAppender extends AppenderBase<ILoggingEvent> {
  @Override
  protected void append(ILoggingEvent event) {
    if (event.getThrowableProxy() instanceof ThrowableProxy failure) {
      ProcessWatchdog.report(failure.getThrowable());
    }
  }
}
