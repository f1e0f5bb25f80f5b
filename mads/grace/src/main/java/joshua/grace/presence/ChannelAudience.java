package joshua.grace.presence;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Channel;
import joshua.conversation.ConversationBus;
import joshua.conversation.EnvelopeCodec;
import joshua.conversation.MessageReceiver;
import joshua.conversation.SendResult;
import joshua.grace.queue.ClientInlet;
import joshua.grace.queue.ClientQueues;
import joshua.grace.queue.KnownNames;

/** Who receives what is sent on a channel, as far as Grace knows (wire contract §3). */
public final class ChannelAudience {
  /** Whether a direct message's addressee is there. */
  public enum Addressee {
    /** A subscriber listens on its channel, or a client of this Grace receives what comes there. */
    PRESENT,
    /** It has been heard but isn't listening: it won't receive this. */
    AWAY,
    /** No participant of this name has been heard. */
    UNKNOWN;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final ConversationBus bus;
  private final ClientQueues queues;
  private final KnownNames names;

  public ChannelAudience(ConversationBus bus, ClientQueues queues, KnownNames names) {
    this.bus = bus;
    this.queues = queues;
    this.names = names;
  }

  /**
   * Subscriptions that don't count as receivers, and clients that certainly do.
   *
   * @param queues clients of this Grace that receive what is sent
   * @param unused subscriptions of this Grace that none of these clients holds
   * @param taps subscriptions of the group's own taps
   * @param addressee whether the addressee itself is one of these clients
   */
  public record Standing(long queues, long unused, long taps, boolean addressee) {
    /** Of the subscriptions that Redis counted, those of a client that may read the message. */
    public long receivers(long counted) {
      return Math.max(counted - unused - taps, queues > 0 ? 1 : 0);
    }
  }

  public Standing standing(Channel channel) {
    long matching = 0;
    boolean addressee = false;
    for (MessageReceiver receiver : bus.receiversOf(channel)) {
      if (receiver instanceof ClientInlet inlet) {
        matching++;
        addressee |= channel.recipient().filter(inlet.clientId()::equals).isPresent();
      }
    }
    return new Standing(matching, bus.unusedCopies(channel), names.taps(), addressee);
  }

  /**
   * Whether the addressee of a direct channel is there; empty for other channels.
   *
   * @param counted subscriptions that Redis counted for what was sent; 0 when nothing was
   */
  public Optional<Addressee> addressee(Channel channel, Standing standing, long counted)
      throws InterruptedException {
    if (channel.recipient().isEmpty()) {
      return Optional.empty();
    }
    KnownNames.Knowledge known = names.of(channel.recipient().get());
    // A glob's subscriber may be the addressee, if the addressee is there, or any other client.
    boolean present =
        standing.queues() > 0
            || isListenedTo(channel)
            || (known == KnownNames.Knowledge.HEARD && standing.receivers(counted) > 0);
    if (present) {
      return Optional.of(Addressee.PRESENT);
    }
    return Optional.of(
        known == KnownNames.Knowledge.NEVER_HEARD ? Addressee.UNKNOWN : Addressee.AWAY);
  }

  /** Reports in an answer who receives what was sent. */
  public void tell(SendResult.Accepted accepted, Standing standing, ObjectNode answer)
      throws InterruptedException {
    answer.put("receivers", standing.receivers(accepted.receivers()));
    answer.put("queues", standing.queues());
    Optional<Addressee> addressee =
        addressee(accepted.envelope().channel(), standing, accepted.receivers());
    addressee.ifPresent(stands -> answer.put("addressee", stands.word()));
    if (addressee.filter(Addressee.UNKNOWN::equals).isPresent()) {
      answer.put("listening_since", EnvelopeCodec.timestamp(names.listeningSince()));
    }
    silentSince(accepted.envelope().channel(), standing)
        .ifPresent(last -> answer.put("silent_since", EnvelopeCodec.timestamp(last)));
  }

  /**
   * Since when the addressee has made no call, if it is a client of this Grace whose queue keeps
   * the message.
   */
  public Optional<Instant> silentSince(Channel channel, Standing standing) {
    return standing.addressee()
        ? channel.recipient().flatMap(queues::silentSince)
        : Optional.empty();
  }

  /**
   * Whether anyone has subscribed to a channel by its exact name; false while Redis doesn't say.
   */
  private boolean isListenedTo(Channel channel) throws InterruptedException {
    try {
      return bus.listeners(List.of(channel)).getFirst() > 0;
    } catch (BusUnavailableException e) {
      return false;
    }
  }

  /** Records that a name has sent something. */
  public void heard(String name) {
    names.heard(name);
  }

  public Instant listeningSince() {
    return names.listeningSince();
  }

  public int knownNames() {
    return names.size();
  }

  public int taps() {
    return names.taps();
  }
}
