package joshua.rogers.tool;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import joshua.conversation.BusTap;
import joshua.conversation.BusUnavailableException;
import joshua.rogers.tap.ChannelTraffic;
import joshua.rogers.tap.FlushQueue;
import joshua.rogers.tap.MessageObserver;
import joshua.rogers.tap.TrackedSender;
import joshua.rogers.traffic.HourlyCounter;
import joshua.rogers.traffic.MessageThroughput;
import joshua.rogers.traffic.TrafficFlusher;
import joshua.rogers.traffic.TrafficReader;
import joshua.rogers.traffic.TrafficStore;
import joshua.state.Database;
import joshua.state.StoreUnavailableException;

/**
 * Counts all traffic (REQ-RG-15), from the tap to the tables: every message by UTC hour, sender and
 * topic pattern, exactly.
 */
public final class MetricsCollector implements AutoCloseable {

  /**
   * The limits of what it keeps.
   *
   * @param names senders, and channels, that are counted separately in an hour
   * @param envelopeBytes the largest message that is accepted as an envelope
   * @param retention how long hours are kept
   */
  public record Limits(int names, long envelopeBytes, Duration retention) {}

  private final Database database;
  private final BusTap tap;
  private final HourlyCounter hourlyCounter;
  private final TrafficReader trafficReader;
  private final TrafficFlusher flusher;
  private final MessageThroughput messageThroughput = new MessageThroughput();

  /** Counts nothing until {@link #start}. */
  public MetricsCollector(
      Database database, BusTap tap, Limits limits, InstantSource time, MeterRegistry meters) {
    this.database = database;
    this.tap = tap;
    FlushQueue flushQueue = new FlushQueue();
    hourlyCounter = new HourlyCounter(flushQueue, limits.names());
    trafficReader = new TrafficReader(time, hourlyCounter, limits.envelopeBytes());
    flusher =
        new TrafficFlusher(
            database,
            trafficReader,
            tap,
            flushQueue,
            () -> messageThroughput.look(hourlyCounter.messages(), time.millis()),
            time,
            limits.retention(),
            meters);
    register(meters);
  }

  /**
   * Starts to count where the previous run of Rogers stopped.
   *
   * @param observers observers of each message, in this order
   * @throws BusUnavailableException if the tap can't be connected now
   * @throws StoreUnavailableException if the database can't be read
   */
  public void start(List<MessageObserver> observers)
      throws BusUnavailableException, StoreUnavailableException, InterruptedException {
    trafficReader.begin(database.read(TrafficStore::seenUntil).orElse(Instant.EPOCH), observers);
    tap.open(trafficReader);
    flusher.start();
  }

  private void register(MeterRegistry meters) {
    FunctionCounter.builder("joshua.rogers.messages", hourlyCounter, HourlyCounter::messages)
        .description("Messages that were counted, malformed ones included")
        .register(meters);
    FunctionCounter.builder("joshua.rogers.malformed", trafficReader, TrafficReader::malformed)
        .description("Messages among them that are no valid envelope")
        .register(meters);
    FunctionCounter.builder("joshua.rogers.missed", hourlyCounter, HourlyCounter::missed)
        .description("Messages whose counts were lost, because the database was away for days")
        .register(meters);
  }

  /** Senders that were heard in this hour or the previous one. */
  public List<TrackedSender> senders() {
    return hourlyCounter.senders();
  }

  /** Channels that were published on in this hour or the previous one. */
  public List<ChannelTraffic> channels() {
    return hourlyCounter.channels();
  }

  /** How many messages since the start, malformed ones included. */
  public long messages() {
    return hourlyCounter.messages();
  }

  /** Messages a second, over the last ten or so. */
  public double messagesPerSecond() {
    return messageThroughput.perSecond();
  }

  /** How many of them were not valid envelopes. */
  long malformed() {
    return trafficReader.malformed();
  }

  /** How many counts were lost, because the database was away for days. */
  long missed() {
    return hourlyCounter.missed();
  }

  /** What keeps it from seeing or storing everything, as a sentence; empty if nothing does. */
  public Optional<String> problem() {
    return tap.isUsable()
        ? flusher.problem()
        : Optional.of("Redis at %s is away; traffic isn't seen.".formatted(tap.address()));
  }

  /** Writes what has been counted, and stops. */
  @Override
  public void close() {
    flusher.close();
    tap.close();
  }
}
