package joshua.testing.bus;

import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import joshua.conversation.BusLink;
import joshua.conversation.ChannelPattern;

/** A feed that keeps what it gets, each event as a line. */
public class RecordingFeed implements BusLink.Feed {
  private static final Duration COMES_WITHIN = Duration.ofSeconds(30);

  private final List<String> events = new CopyOnWriteArrayList<>();
  private final List<Instant> losses = new CopyOnWriteArrayList<>();
  private final AtomicLong dropped = new AtomicLong();

  @Override
  public void copy(ChannelPattern subscription, String channel, byte[] body) {
    events.add(
        "copy %s %s %s"
            .formatted(subscription, channel, new String(body, StandardCharsets.ISO_8859_1)));
  }

  @Override
  public void subscribed(ChannelPattern subscription, long wish) {
    events.add("subscribed %s %d".formatted(subscription, wish));
  }

  @Override
  public void refused(ChannelPattern subscription, long wish, String why) {
    events.add("refused %s %d %s".formatted(subscription, wish, why));
  }

  @Override
  public void unsubscribed(ChannelPattern subscription) {
    events.add("unsubscribed " + subscription);
  }

  @Override
  public void lost(Instant since) {
    losses.add(since);
    events.add("lost");
  }

  @Override
  public void partlyRestored() {
    events.add("partly restored");
  }

  @Override
  public void restored() {
    events.add("restored");
  }

  @Override
  public void overflowed(long copies, Instant since) {
    dropped.addAndGet(copies);
    events.add("overflowed");
  }

  /** Everything so far, in order. */
  public List<String> events() {
    return List.copyOf(events);
  }

  /** The copies among them. */
  public List<String> copies() {
    return beginning("copy ");
  }

  /** The events that begin with {@code start}. */
  public List<String> beginning(String start) {
    return events.stream().filter(event -> event.startsWith(start)).toList();
  }

  /** Since when messages may have been missed, for each loss. */
  public List<Instant> losses() {
    return List.copyOf(losses);
  }

  /** How many copies it was too slow for. */
  public long dropped() {
    return dropped.get();
  }

  /** Waits until {@code count} events begin with {@code start}. */
  public void awaitEvents(String start, int count) {
    await()
        .atMost(COMES_WITHIN)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .until(() -> beginning(start).size() >= count);
  }
}
