package joshua.grace;

import joshua.conversation.ChannelPattern;
import joshua.conversation.Delivery;
import joshua.conversation.Gap;
import joshua.conversation.Receiver;
import joshua.network.mcp.Watchers;

/** Where the bus puts what one client receives. */
final class ClientInlet implements Receiver {
  private final ClientQueue queue;
  private final ClientQueues queues;
  private final Watchers watchers;
  private final KnownNames names;

  /** Written under the lock of {@link ClientQueues}; read by the bus, too. */
  private volatile ReadingRights rights;

  ClientInlet(
      ClientQueue queue,
      ReadingRights rights,
      ClientQueues queues,
      Watchers watchers,
      KnownNames names) {
    this.rights = rights;
    this.queue = queue;
    this.queues = queues;
    this.watchers = watchers;
    this.names = names;
  }

  @Override
  public void deliver(Delivery delivery) {
    names.relayed(delivery.envelope());
    if (HousekeepingEvents.isAbout(queue.clientId(), delivery.envelope())
        || queues.isReply(queue, delivery.envelope())) {
      return;
    }
    queues.accept(queue, delivery);
    watchers.changed(queue.clientId());
  }

  @Override
  public boolean takes(ChannelPattern glob, String channel) {
    return glob.asksFor(channel) && rights.cover(queue.clientId(), channel);
  }

  ReadingRights rights() {
    return rights;
  }

  /** Takes more from now on; the bus is to be told. */
  void raise(ReadingRights more) {
    rights = more;
  }

  @Override
  public void missed(Gap gap) {
    queues.breakOff(queue, gap);
    watchers.changed(queue.clientId());
  }
}
