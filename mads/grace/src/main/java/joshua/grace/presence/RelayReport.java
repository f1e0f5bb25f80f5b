package joshua.grace.presence;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.CompletableFuture;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.SendResult;
import joshua.conversation.envelope.Channel;
import joshua.grace.queue.ClientQueues;
import joshua.grace.queue.Loss;
import joshua.grace.queue.LossReport.Loser;
import joshua.grace.queue.LossReport.Told;
import joshua.kernel.Json;

/**
 * What the relay tells on {@code mad.system.relay}: its clients, and what they were told of losses.
 */
public final class RelayReport {
  private static final Channel CHANNEL = new Channel("mad.system.relay");
  private static final int MAX_PATTERNS = 500;

  private final ConversationBus bus;
  private final ClientQueues queues;

  public RelayReport(ConversationBus bus, ClientQueues queues) {
    this.bus = bus;
    this.queues = queues;
  }

  /** Reports what has happened since the last time. */
  public CompletableFuture<SendResult> send() {
    ObjectNode payload = Json.object().put("instance", bus.self().instance());
    payload.put("clients", queues.clients()).put("waiting", queues.waiting().messages());
    Told told = queues.losses().take();
    ObjectNode counts = payload.putObject("told");
    for (Loss.Reason reason : Loss.Reason.values()) {
      counts.put(reason.word(), told.told().getOrDefault(reason, 0));
    }
    for (Loser loser : told.losers()) {
      payload
          .withArray("losers")
          .addObject()
          .put("client_id", loser.clientId())
          .put("missed", loser.missed())
          .put("reason", loser.reason().word());
    }
    payload.withArray("losers");
    ObjectNode patterns = payload.putObject("patterns");
    queues.followersByTopic().entrySet().stream()
        .limit(MAX_PATTERNS)
        .forEach(topic -> patterns.put(topic.getKey(), topic.getValue()));
    return bus.sendAsync(OutgoingMessage.on(CHANNEL, payload));
  }
}
