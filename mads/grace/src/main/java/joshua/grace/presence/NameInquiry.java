package joshua.grace.presence;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Gap;
import joshua.conversation.MessageReceiver;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.ReceivedMessage;
import joshua.kernel.Json;

/**
 * Asks Rogers once which names are known on the bus: Grace keeps nothing on disk, Rogers does. A
 * plain question to {@code mad.direct.rogers}, asked when Rogers is heard, and again with its next
 * heartbeats until an answer has come; the names are in the rows of the answer's evidence.
 */
public final class NameInquiry implements MessageReceiver {
  /** The participant that is asked. */
  static final String ROGERS = "rogers";

  private static final String QUESTION = "who";
  private static final String COLUMN = "participant";
  private static final int TRIES = 3;

  private final ConversationBus bus;
  private final Consumer<String> names;
  private final UUID correlation = UUID.randomUUID();
  private final List<ChannelPattern> own;

  // Only the bus's own thread uses these.
  private int tries;
  private boolean answered;

  /** Creates an inquiry; each name of the answer goes to {@code names}. */
  public NameInquiry(ConversationBus bus, Consumer<String> names) {
    this.bus = bus;
    this.names = names;
    this.own = List.of(ChannelPattern.exactly(Channel.direct(bus.self().name())));
  }

  public void start() {
    var _ = bus.followAsync(this, own);
  }

  public void stop() {
    bus.unfollow(this, own);
  }

  /** Handles a heartbeat of any participant. */
  public void heardFrom(String name) {
    if (answered || tries == TRIES || !name.equals(ROGERS)) {
      return;
    }
    tries++;
    // Without an answer, Grace learns from heartbeats which participants are there.
    var _ =
        bus.sendAsync(
            OutgoingMessage.on(Channel.direct(ROGERS), Json.object().put("prompt", QUESTION))
                .correlation(correlation));
  }

  @Override
  public void deliver(ReceivedMessage receivedMessage) {
    if (!receivedMessage.envelope().correlationId().equals(correlation)
        || !receivedMessage.envelope().senderId().equals(ROGERS)) {
      return;
    }
    answered = true;
    JsonNode result = receivedMessage.envelope().payload().path("result");
    for (JsonNode evidence : result.path("evidence")) {
      for (JsonNode row : evidence.path("rows")) {
        JsonNode name = row.path(COLUMN);
        if (name.isTextual()) {
          names.accept(name.textValue());
        }
      }
    }
    if (!result.isMissingNode()) {
      stop();
    }
  }

  @Override
  public void missed(Gap gap) {
    // The answer may be among the missed messages; the next heartbeat asks again.
  }
}
