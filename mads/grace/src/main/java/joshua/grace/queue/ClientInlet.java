package joshua.grace.queue;

import joshua.conversation.ChannelPattern;
import joshua.conversation.Gap;
import joshua.conversation.MessageReceiver;
import joshua.conversation.ReceivedMessage;
import joshua.grace.meter.HousekeepingEvents;
import joshua.network.mcp.ChangeWatchers;

/** The receiver through which the bus delivers to one client. */
public final class ClientInlet implements MessageReceiver {
  private final ClientQueue queue;
  private final ClientQueues queues;
  private final ChangeWatchers changeWatchers;
  private final KnownNames names;

  /** Written under the lock of {@link ClientQueues}; read by the bus as well. */
  private volatile ReadingRights rights;

  ClientInlet(
      ClientQueue queue,
      ReadingRights rights,
      ClientQueues queues,
      ChangeWatchers changeWatchers,
      KnownNames names) {
    this.rights = rights;
    this.queue = queue;
    this.queues = queues;
    this.changeWatchers = changeWatchers;
    this.names = names;
  }

  @Override
  public void deliver(ReceivedMessage receivedMessage) {
    names.relayed(receivedMessage.envelope());
    if (HousekeepingEvents.isAbout(queue.clientId(), receivedMessage.envelope())
        || queues.isReply(queue, receivedMessage.envelope())) {
      return;
    }
    queues.accept(queue, receivedMessage);
    changeWatchers.changed(queue.clientId());
  }

  @Override
  public boolean takes(ChannelPattern glob, String channel) {
    return glob.asksFor(channel) && rights.cover(queue.clientId(), channel);
  }

  public String clientId() {
    return queue.clientId();
  }

  ReadingRights rights() {
    return rights;
  }

  /** Widens the client's reading rights; the caller must then notify the bus. */
  void raise(ReadingRights more) {
    rights = more;
  }

  @Override
  public void missed(Gap gap) {
    queues.breakOff(queue, gap);
    changeWatchers.changed(queue.clientId());
  }
}
