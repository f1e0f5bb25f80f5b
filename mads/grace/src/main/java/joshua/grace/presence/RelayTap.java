package joshua.grace.presence;

import java.util.Optional;
import java.util.Set;
import joshua.conversation.BusListener;
import joshua.conversation.ConversationBus;
import joshua.conversation.Gap;
import joshua.conversation.Presence;
import joshua.conversation.RelayReports;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.conversation.envelope.EnvelopeHead;
import joshua.grace.queue.ClientPresence;
import joshua.grace.queue.ClientQueues;

/**
 * The relay's subscription to the whole bus, which queues each message for the clients that follow
 * its channel. It runs on the receiving thread and doesn't block; of a message that nobody follows
 * only the sender is parsed.
 */
public record RelayTap(
    ConversationBus bus,
    ClientQueues queues,
    AddresseeLookup addressees,
    Archive archive,
    ClientPresence presence,
    RelayReport report)
    implements BusListener {
  private static final Set<String> READ_BY_RELAY =
      Set.of(
          Channel.HEARTBEAT.name(),
          Channel.PRESENCE.name(),
          RelayReports.CHANNEL.name(),
          Channel.direct(Archive.ARCHIVIST).name()); // what other relays tell it

  @Override
  public void onMessage(String channel, byte[] body) {
    if (!READ_BY_RELAY.contains(channel)
        && bus.requests().isEmpty()
        && !queues.topics().isFollowed(channel)) {
      String sender = EnvelopeHead.senderOf(body);
      report.received(sender != null);
      if (sender != null) {
        addressees.heard(sender);
      }
      return;
    }
    Optional<Envelope> read = EnvelopeCodec.tryDecode(channel, body);
    report.received(read.isPresent());
    read.ifPresent(envelope -> onEnvelope(envelope, body));
  }

  private void onEnvelope(Envelope envelope, byte[] body) {
    addressees.said(envelope);
    archive.said(envelope);
    if (Presence.isJoin(envelope, bus.self().instance()) && !envelope.payload().has("via")) {
      presence.somebodyJoined();
    }
    boolean taken = bus.requests().offer(envelope);
    if (archive.isBusiness(envelope)) {
      return;
    }
    String asker = taken ? envelope.channel().recipient().orElse(null) : null;
    queues.deliver(envelope, body, client -> !client.equals(asker)); // who has it by its request
  }

  @Override
  public void onGap(Gap gap) {
    queues.broken(gap.since());
    bus.requests().onGap(gap);
  }
}
