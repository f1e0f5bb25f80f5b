package joshua.grace.presence;

import joshua.conversation.BusListener;
import joshua.conversation.Gap;
import joshua.conversation.PendingRequests;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.conversation.envelope.EnvelopeCodec.MalformedEnvelopeException;
import joshua.conversation.envelope.EnvelopeHead;
import joshua.grace.queue.ClientQueues;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears everything on the bus, and hands each message to the clients that follow its channel. It
 * runs on the thread that receives, so it waits for nothing; what nobody follows is hardly read.
 */
public final class RelayTap implements BusListener {
  private static final Logger log = LoggerFactory.getLogger(RelayTap.class);

  private final ClientQueues queues;
  private final KnownParticipants known;
  private final ClientPresence presence;
  private final PendingRequests requests;
  private final RelayMetrics metrics;
  private final String self;

  /**
   * A tap.
   *
   * @param self the relay's instance
   */
  public RelayTap(
      ClientQueues queues,
      KnownParticipants known,
      ClientPresence presence,
      PendingRequests requests,
      RelayMetrics metrics,
      String self) {
    this.queues = queues;
    this.known = known;
    this.presence = presence;
    this.requests = requests;
    this.metrics = metrics;
    this.self = self;
  }

  @Override
  public void onMessage(String channel, byte[] body) {
    boolean housekeeping =
        channel.equals(Channel.HEARTBEAT.name()) || channel.equals(Channel.PRESENCE.name());
    if (!housekeeping && requests.isEmpty() && queues.followers(channel) == 0) {
      String sender = EnvelopeHead.senderOf(body);
      metrics.received(sender != null);
      if (sender != null) {
        known.heard(sender);
      }
      return;
    }
    try {
      Envelope envelope = EnvelopeCodec.decode(channel, body);
      metrics.received(true);
      known.heard(envelope.senderId());
      if (housekeeping) {
        onHousekeeping(envelope);
      }
      boolean taken = requests.offer(envelope);
      String asker = taken ? envelope.channel().recipient().orElse(null) : null;
      queues.deliver(channel, body, envelope.timestamp(), asker);
    } catch (MalformedEnvelopeException e) {
      metrics.received(false);
      log.debug("a malformed message on {}: {}", channel, e.getMessage());
    }
  }

  private void onHousekeeping(Envelope envelope) {
    if (envelope.channel().equals(Channel.HEARTBEAT)) {
      known.beat(envelope);
    } else if (envelope.payload().path("event").asText().equals("join")
        && !envelope.payload().has("via")
        && !envelope.payload().path("instance").asText().equals(self)) {
      presence.somebodyJoined();
    }
  }

  @Override
  public void onGap(Gap gap) {
    queues.broken(gap.since());
    requests.onGap(gap);
  }
}
