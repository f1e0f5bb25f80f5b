package joshua.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.Json;
import joshua.kernel.LogMarkers;
import joshua.kernel.ResourceLimit;
import joshua.kernel.TextExcerpt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * The newest lines of this process' log, for {@code mad-logs}. Bounded in lines and in characters;
 * the oldest are dropped first. Guarded by {@code lock}.
 */
public final class LogRing extends AppenderBase<ILoggingEvent> {
  /** Lines that are kept. */
  static final int LINES = 10_000;

  /** Characters that are kept, in all lines together. */
  static final int CHARACTERS = 4 * 1024 * 1024;

  /** Characters of one message, and of one stack trace. */
  static final int LONGEST = 16 * 1024;

  /** Two bytes per character, and the objects of each line. */
  private static final long BYTES = 2L * CHARACTERS + LINES * 150L;

  /** The one of this process; every logging configuration writes to it. */
  static final LogRing OF_THIS_PROCESS = new LogRing();

  static ResourceLimit limit() {
    return ResourceLimit.memory(
        "log.ring",
        "log lines that `mad-logs` can show, at most %,d, in all services".formatted(LINES),
        BYTES,
        BYTES,
        "the oldest go; the log itself has them");
  }

  /**
   * One line.
   *
   * @param sequence increases by 1 with each line of the process
   * @param publicMessage the message without what it quotes of others
   * @param publicException the kind of exception only
   */
  public record Entry(
      long sequence,
      Instant at,
      Level level,
      String logger,
      String thread,
      String message,
      String publicMessage,
      @Nullable String correlationId,
      @Nullable String exception,
      @Nullable String publicException) {

    private Entry numbered(long number) {
      return new Entry(
          number,
          at,
          level,
          logger,
          thread,
          message,
          publicMessage,
          correlationId,
          exception,
          publicException);
    }

    /** The line as viewers may read it. */
    public Entry forViewers() {
      return new Entry(
          sequence,
          at,
          level,
          logger,
          thread,
          publicMessage,
          publicMessage,
          correlationId,
          publicException,
          publicException);
    }

    /** {@code {at, level, logger, thread, message, correlation_id, exception}}. */
    public ObjectNode json() {
      return Json.object()
          .put("at", EnvelopeCodec.timestamp(at))
          .put("level", level.toString())
          .put("logger", logger)
          .put("thread", thread)
          .put("message", message)
          .put("correlation_id", correlationId)
          .put("exception", exception);
    }

    private int characters() {
      return message.length() + (exception == null ? 0 : exception.length());
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  private final Deque<Entry> entries = new ArrayDeque<>();
  private long characters;
  private long sequence;

  private LogRing() {
    setName("ring");
  }

  /** The line of an event, with anything longer than {@link #LONGEST} cut. */
  static Entry entry(long sequence, ILoggingEvent event) {
    Map<String, String> context = event.getMDCPropertyMap();
    IThrowableProxy cause = event.getThrowableProxy();
    String exception = cause == null ? null : ThrowableProxyUtil.asString(cause);
    String message = TextExcerpt.of(event.getFormattedMessage(), LONGEST);
    return new Entry(
        sequence,
        Instant.ofEpochMilli(event.getTimeStamp()),
        event.getLevel(),
        shortened(event.getLoggerName()),
        event.getThreadName(),
        message,
        quotesOthers(event) ? event.getMessage().replace("{}", "…") : message,
        context.get("correlation_id"),
        exception == null ? null : TextExcerpt.of(exception, LONGEST),
        cause == null ? null : cause.getClassName());
  }

  @Override
  protected void append(ILoggingEvent event) {
    Entry unnumbered = entry(0, event);
    lock.lock();
    try {
      sequence++;
      Entry entry = unnumbered.numbered(sequence);
      entries.addLast(entry);
      characters += entry.characters();
      while (entries.size() > LINES || characters > CHARACTERS) {
        characters -= entries.removeFirst().characters();
      }
      more.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static boolean quotesOthers(ILoggingEvent event) {
    List<Marker> markers = event.getMarkerList();
    return markers != null && markers.contains(LogMarkers.QUOTES_OTHERS);
  }

  private static String shortened(String logger) {
    return logger.substring(logger.lastIndexOf('.') + 1);
  }

  /** A ring without lines. */
  public static LogRing empty() {
    return new LogRing();
  }

  /** The newest matching lines, at most {@code count}, oldest first. */
  public List<Entry> newest(int count, Predicate<Entry> wanted) {
    lock.lock();
    try {
      List<Entry> found = new ArrayList<>();
      var newestFirst = entries.descendingIterator();
      while (newestFirst.hasNext() && found.size() < count) {
        Entry entry = newestFirst.next();
        if (wanted.test(entry)) {
          found.add(entry);
        }
      }
      return found.reversed();
    } finally {
      lock.unlock();
    }
  }

  /** How many lines there have been so far. */
  public long sequence() {
    lock.lock();
    try {
      return sequence;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The lines after {@code after} that are still kept, oldest first; waits at most that long for
   * one.
   *
   * @param after a sequence number
   */
  public List<Entry> after(long after, long waitMillis) throws InterruptedException {
    long nanos = TimeUnit.MILLISECONDS.toNanos(waitMillis);
    lock.lockInterruptibly();
    try {
      while (sequence <= after && nanos > 0) {
        nanos = more.awaitNanos(nanos);
      }
      return entries.stream().filter(entry -> entry.sequence() > after).toList();
    } finally {
      lock.unlock();
    }
  }
}
