package joshua.rogers.alert;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import joshua.conversation.Channel;
import joshua.rogers.Rogers;
import joshua.rogers.tap.MessageObserver;
import joshua.rogers.tap.ObservedMessage;

/**
 * Finds messages that go round between participants (+RG-18), on the thread that reads the tap.
 * Streams, what services say about themselves, and Rogers' own events don't count.
 */
final class LoopDetector implements MessageObserver {
  /** Findings that wait to be taken; more are dropped, and the loop will be found again. */
  private static final int WAITING = 1_000;

  /**
   * A loop.
   *
   * @param senders the first few participants in the loop
   * @param turns messages that came from another sender than the one before
   */
  record Loop(UUID correlationId, List<String> senders, long turns, Instant at) {}

  private final LoopTable table = new LoopTable();
  private final ArrayBlockingQueue<Loop> found = new ArrayBlockingQueue<>(WAITING);

  @Override
  public void seen(ObservedMessage observedMessage) {
    Channel.Kind kind = observedMessage.channel().kind();
    if (kind == Channel.Kind.STREAM || kind == Channel.Kind.SYSTEM || isOwnEvent(observedMessage)) {
      return;
    }
    int slot =
        table.note(
            observedMessage.correlationHigh(),
            observedMessage.correlationLow(),
            observedMessage.sender(),
            observedMessage.atMillis());
    if (slot != LoopTable.NONE && found.remainingCapacity() > 0) {
      found.add(
          new Loop(
              new UUID(observedMessage.correlationHigh(), observedMessage.correlationLow()),
              table.names(slot),
              table.take(slot, observedMessage.atMillis()),
              Instant.ofEpochMilli(observedMessage.atMillis())));
    }
  }

  private static boolean isOwnEvent(ObservedMessage observedMessage) {
    return observedMessage.sender().name().equals(Rogers.NAME)
        && observedMessage.channelName().equals(Channel.SYSTEM_EVENTS.name());
  }

  /** Takes the loops found. */
  List<Loop> take() {
    List<Loop> taken = new ArrayList<>();
    found.drainTo(taken);
    return taken;
  }
}
