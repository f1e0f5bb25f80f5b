package joshua.app.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.redis.RedisConversation;
import joshua.kernel.Role;
import joshua.ssh.AuditLog;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;

class AuditEventsIT {

  /** Security: every client may follow the topic, so what was said in a command isn't on it. */
  @Test
  void theTopicIsToldWhatWasDoneAndNotWhatWasSaid() throws Exception {
    try (RealRedis redis = RealRedis.start();
        ConversationBus bus = RedisConversation.join("grace", redis.url(), redis.password());
        AuditEvents events = AuditEvents.of("grace", bus)) {
      List<JsonNode> heard = new CopyOnWriteArrayList<>();
      bus.subscribe(
          ChannelPattern.exactly(AuditEvents.CHANNEL), envelope -> heard.add(envelope.payload()));
      events.note(
          new AuditLog.Entry(
              Instant.EPOCH,
              "127.0.0.1:50022",
              "ann",
              Optional.of("SHA256:abc"),
              Optional.of(Role.OPERATOR),
              AuditLog.Action.COMMAND,
              "ask 'is the merger private?'",
              "ask …",
              "ok"));

      await().until(() -> !heard.isEmpty());
      assertThat(heard.getFirst().toString()).doesNotContain("merger").contains("\"ask …\"");
    }
  }
}
