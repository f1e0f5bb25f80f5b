package joshua.conversation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.Json;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The messages that the archivist, Dewey, kept for a participant while it was away. */
final class KeptMail {
  private static final String ARCHIVIST = "dewey";
  private static final Duration DEADLINE = Duration.ofSeconds(5);
  private static final int MAX_MESSAGES = 100; // a page
  private static final int MAX_BYTES = 512 * 1024;
  private static final Logger log = LoggerFactory.getLogger(KeptMail.class);

  private final ConversationBus bus;
  private final String name;
  private final Set<UUID> asked = ConcurrentHashMap.newKeySet();

  KeptMail(ConversationBus bus) {
    this.bus = bus;
    this.name = bus.self().name();
  }

  /** Whether a message is the archivist's answer to what is asked here. */
  boolean isAnswer(Envelope envelope) {
    return envelope.senderId().equals(ARCHIVIST) && asked.contains(envelope.correlationId());
  }

  /**
   * Passes on what was kept, oldest first; a page is collected when its messages have been handled.
   * Ends early where the archivist doesn't answer: the rest is kept on.
   */
  void deliver(BiConsumer<String, byte[]> handler) throws InterruptedException {
    String channel = Channel.direct(name).name();
    JsonNode last = NullNode.getInstance();
    while (true) {
      ObjectNode mail = Json.object();
      mail.putObject("mail")
          .put("client_id", name)
          .put("limit", MAX_MESSAGES)
          .put("max_bytes", MAX_BYTES)
          .set("after", last);
      ObjectNode page = ask(mail).orElse(Json.object());
      ObjectNode receipts = Json.object();
      ArrayNode collected = receipts.putObject("receipts").putObject("collected").putArray(name);
      for (JsonNode message : page.path("messages")) {
        handler.accept(channel, Json.bytes(message.path("envelope")));
        last = message.at("/envelope/message_id");
        collected.add(last);
      }
      if (collected.isEmpty() || ask(receipts).isEmpty()) {
        return;
      }
    }
  }

  private Optional<ObjectNode> ask(ObjectNode payload) throws InterruptedException {
    UUID correlation = UUID.randomUUID();
    asked.add(correlation);
    try {
      RequestResult result =
          bus.request(
              OutgoingMessage.to(ARCHIVIST, payload).withCorrelation(correlation), DEADLINE);
      if (result instanceof RequestResult.Answered answered
          && answered.reply().payload().path("status").asText().equals("success")) {
        return Optional.of(answered.reply().payload());
      }
      log.info("what was kept for {} can't be had now: {}", name, result);
    } catch (BusUnavailableException e) {
      log.info("what was kept for {} can't be had now", name, e);
    }
    return Optional.empty();
  }
}
