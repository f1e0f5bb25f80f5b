package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Stream;
import joshua.grace.queue.ClientPresence;
import joshua.kernel.Json;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.Test;

/** What the relay says of its clients on the bus (wire contract §2). */
class GracePresenceTest extends GroupTest {
  /** The next message of a subscribed connection whose text has all of these. */
  private static JsonNode heard(RawRedis redis, String... parts) throws Exception {
    while (true) {
      String message = redis.read();
      assertThat(message).as("who only watches").doesNotContain(ClientPresence.WATCHER);
      int start = message.indexOf('{');
      if (start >= 0 && Stream.of(parts).allMatch(message::contains)) {
        return Json.parse(message.substring(start, message.lastIndexOf('}') + 1)).path("payload");
      }
    }
  }

  @Test
  void clientsJoinAndLeaveAndAreListedToWhoeverJoins() throws Exception {
    try (RawRedis raw = redis.connect();
        TestBus participants = new TestBus(redis)) {
      raw.call("SUBSCRIBE", "mad.system.presence");
      String tail = ClientPresence.WATCHER + bob;
      grace.subscribe(tail, "mad.*");
      grace.subscribe(bob, toBob);
      JsonNode join = heard(raw, "\"event\":\"join\"", "\"sender_id\":\"" + bob + "\"");
      assertThat(join.path("via").asText()).isEqualTo("grace");
      participants.join(names.of("new"));
      JsonNode roster = heard(raw, "\"event\":\"roster\"", "\"" + bob + "\"");
      assertThat(roster.path("clients").toString()).contains("\"" + bob + "\"");
      group.call("grace_unsubscribe", "client_id", tail);
      group.call("grace_unsubscribe", "client_id", bob);
      JsonNode leave = heard(raw, "\"event\":\"leave\"", "\"sender_id\":\"" + bob + "\"");
      assertThat(leave.path("reason").asText()).isEqualTo("unsubscribed");
      assertThat(leave.path("away").asBoolean()).isFalse();
    }
  }
}
