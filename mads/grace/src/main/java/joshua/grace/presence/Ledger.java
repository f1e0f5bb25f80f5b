package joshua.grace.presence;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.DeliveryCounter;
import joshua.conversation.Gap;
import joshua.conversation.MessageReceiver;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.ReceivedMessage;
import joshua.conversation.SendResult;
import joshua.grace.meter.LossReport;
import joshua.grace.queue.ClientQueues;
import joshua.kernel.EssentialThread;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;

/**
 * Grace's account of what it received and delivered, on {@code mad.system.ledger} every 2 s
 * (+RG-17, wire contract §2): first a marker; when the marker comes back to Grace, the counts at
 * exactly that point in the order of its connection, under the marker's number.
 *
 * <p>While Redis is away no marker comes back, so nothing is sent; the counters go on.
 */
public final class Ledger implements MessageReceiver, AutoCloseable {
  static final Duration EVERY = Duration.ofSeconds(2);

  /** Losers that one ledger names (wire contract §2); the next ledger names the others. */
  static final int LOSERS = 100;

  /** Subscriptions in one message; a ledger with more is sent in parts. */
  static final int SUBSCRIPTIONS = 1_000;

  /** A tenth of the interval, so that several Graces don't send theirs all at once. */
  private static final int JITTER_PARTS = 10;

  private static final Duration COMES_BACK_WITHIN = Duration.ofSeconds(1);
  private static final long NONE = 0;

  /** The counts at the moment a marker came back. */
  private record Cut(
      long marker, List<DeliveryCounter.Count> copies, ClientQueues.Account account) {}

  private final String epoch;
  private final ConversationBus bus;
  private final DeliveryCounter copies;
  private final ClientQueues queues;
  private final RandomGenerator random;
  private final TimedWait timedWait;
  private final EssentialThread essential = EssentialThread.slow("grace-ledger");
  private final Thread thread;

  /** The marker that is on its way; {@link #NONE} when it is back. */
  private final AtomicLong expected = new AtomicLong(NONE);

  /** The newest marker that came back. */
  private volatile long lastMarker = NONE;

  private final BlockingQueue<Cut> cuts = new LinkedBlockingQueue<>(2);

  public Ledger(
      String epoch,
      ConversationBus bus,
      ClientQueues queues,
      RandomGenerator random,
      TimedWait timedWait) {
    this.epoch = epoch;
    this.bus = bus;
    this.copies = bus.countCopies();
    this.queues = queues;
    this.random = random;
    this.timedWait = timedWait;
    this.thread =
        Thread.ofVirtual().name(essential.name()).unstarted(essential.watching(this::run));
  }

  /** The number of the newest marker that came back; 0 before the first. */
  public long lastMarker() {
    return lastMarker;
  }

  public void start() {
    // Without it no marker comes back and no ledger is sent; Redis confirms it when it is there.
    var _ = bus.followAsync(this, List.of(ChannelPattern.exactly(Channel.LEDGER)));
    thread.start();
  }

  private void run() {
    try {
      for (long marker = 1; true; marker++) {
        essential.progress();
        timedWait.pause(interval());
        if (bus.isUsable()) {
          mark(marker);
        }
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private Duration interval() {
    long jitter = EVERY.toMillis() / JITTER_PARTS;
    return EVERY.plusMillis(random.nextLong(-jitter, jitter + 1));
  }

  private void mark(long marker) throws InterruptedException {
    expected.set(marker);
    var _ = bus.sendAsync(OutgoingMessage.on(Channel.LEDGER, head(marker)));
    // A marker that comes back later than this is sent together with the next one.
    Cut cut = cuts.poll(COMES_BACK_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    while (cut != null) {
      tell(cut);
      cut = cuts.poll();
    }
  }

  private ObjectNode head(long marker) {
    ObjectNode payload = Json.object();
    payload.put("epoch", epoch);
    payload.put("instance", bus.self().instance());
    payload.put("marker", marker);
    return payload;
  }

  @Override
  public void deliver(ReceivedMessage receivedMessage) {
    ObjectNode payload = receivedMessage.envelope().payload();
    if (payload.path("epoch").asText().equals(epoch)
        && !payload.has("subscriptions")
        && cuts.remainingCapacity() > 0
        && expected.compareAndSet(payload.path("marker").asLong(), NONE)) {
      long marker = payload.path("marker").asLong();
      lastMarker = marker;
      cuts.add(new Cut(marker, copies.cut(marker), queues.account(LOSERS)));
    }
  }

  @Override
  public void missed(Gap gap) {
    // Every subscription's count then starts again, and the ledger says since which marker.
  }

  private void tell(Cut cut) {
    boolean told = true;
    for (ObjectNode part : parts(cut)) {
      told &= !(bus.send(OutgoingMessage.on(Channel.LEDGER, part)) instanceof SendResult.Refused);
    }
    if (!told) {
      queues.giveBack(cut.account().losers());
    }
  }

  private List<ObjectNode> parts(Cut cut) {
    List<DeliveryCounter.Count> all = cut.copies();
    int number = Math.max(1, Math.ceilDiv(all.size(), SUBSCRIPTIONS));
    List<ObjectNode> parts = new ArrayList<>(number);
    for (int part = 1; part <= number; part++) {
      ObjectNode payload = head(cut.marker());
      if (number > 1) {
        payload.put("part", part);
        payload.put("parts", number);
      }
      ObjectNode subscriptions = payload.putObject("subscriptions");
      all.subList((part - 1) * SUBSCRIPTIONS, Math.min(all.size(), part * SUBSCRIPTIONS))
          .forEach(count ->
              subscriptions
                  .putObject(count.subscription().text())
                  .put("since_marker", count.sinceMarker())
                  .put("received", count.received()));
      if (part == number) {
        payload.set("pairs", cut.account().pairs().tree());
        payload.set("losers", losers(cut.account().losers()));
      }
      parts.add(payload);
    }
    return parts;
  }

  private static ArrayNode losers(List<LossReport.Loser> losers) {
    ArrayNode array = Json.object().putArray("losers");
    for (LossReport.Loser loser : losers) {
      ObjectNode tree = array.addObject();
      tree.put("client_id", loser.clientId());
      loser
          .missed()
          .ifPresentOrElse(missed -> tree.put("missed", missed), () -> tree.putNull("missed"));
      tree.put("reason", loser.reason().name().toLowerCase(Locale.ROOT));
    }
    return array;
  }

  @Override
  public void close() {
    thread.interrupt();
    bus.unfollow(this, List.of(ChannelPattern.exactly(Channel.LEDGER)));
  }
}
