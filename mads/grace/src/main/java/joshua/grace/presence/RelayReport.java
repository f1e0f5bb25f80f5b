package joshua.grace.presence;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RelayReports;
import joshua.conversation.SendResult;
import joshua.conversation.envelope.Channel;
import joshua.grace.queue.ClientPresence;
import joshua.grace.queue.ClientQueues;
import joshua.grace.queue.LossReport.Told;
import joshua.kernel.Json;

/**
 * The relay's reports on {@code mad.system.relay}: its clients, what waits for them, what they
 * follow, and the losses that they were told of.
 */
public final class RelayReport {
  private record Report(
      String instance,
      int clients,
      int waiting,
      @JsonUnwrapped Told told,
      Map<String, Integer> unread,
      Map<String, Integer> patterns,
      List<String> left) {}

  private final ConversationBus bus;
  private final ClientQueues queues;
  private final ClientPresence clients;
  private volatile long reported;

  public RelayReport(ConversationBus bus, ClientQueues queues, ClientPresence clients) {
    this.bus = bus;
    this.queues = queues;
    this.clients = clients;
  }

  /** Sends a report if subscriptions have changed since the last one. */
  public void sendIfChanged() {
    if (queues.topics().generation() != reported) {
      var _ = send();
    }
  }

  /** Sends a report of what has happened since the last one. */
  public CompletableFuture<SendResult> send() {
    reported = queues.topics().generation();
    Map<String, Integer> patterns = new HashMap<>();
    queues.topics().followers().entrySet().stream()
        .limit(RelayReports.MAX_PATTERNS)
        .forEach(topic -> patterns.put(topic.getKey(), topic.getValue()));
    bus.requests()
        .askers() // replies reach them without a queue
        .forEach(asker -> patterns.putIfAbsent(Channel.direct(asker).name(), 0));
    Report report =
        new Report(
            bus.self().instance(),
            queues.clients(),
            queues.waiting().messages(),
            queues.losses().take(),
            clients.unread(RelayReports.MAX_UNREAD),
            patterns,
            queues.topics().takeLeft());
    return bus.sendAsync(
        OutgoingMessage.on(RelayReports.CHANNEL, Json.mapper().valueToTree(report)));
  }
}
