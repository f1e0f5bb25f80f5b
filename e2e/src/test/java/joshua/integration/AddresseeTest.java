package joshua.integration;

import static joshua.integration.FrameClient.input;
import static joshua.integration.GraceCalls.succeeded;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import joshua.conversation.ConversationBus;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.ChannelPattern;
import joshua.testing.Await;
import joshua.testing.RawEnvelope;
import org.junit.jupiter.api.Test;

/** What a send says of the participant that it names (wire contract §3, "Grace"). */
class AddresseeTest extends GroupTest {
  private JsonNode sendToBob() {
    return succeeded(grace.send(ann, toBob, Map.of()));
  }

  private String addressee(String name) {
    return grace.send(ann, "mad.direct." + name, Map.of()).path("addressee").asText();
  }

  @Test
  void aNameThatWasNearlyRightIsSuggested() {
    String lead = names.of("team-lead");
    grace.subscribe(lead, "mad.direct." + lead);
    for (String written : List.of("team_lead", "Team-Lead")) {
      JsonNode sent = grace.send(ann, "mad.direct." + names.of(written), Map.of());
      assertThat(sent.path("addressee").asText()).isEqualTo("unknown");
      assertThat(sent.path("suggestion").asText()).isEqualTo(lead);
      assertThat(sent.path("listening_since").asText()).endsWith("Z");
      assertThat(sent.path("receivers").asInt()).isZero();
    }
  }

  @Test
  void whoHasAQueueIsQueuedUntilItPollsAndAgainWhenItsSocketIsClosed() {
    grace.subscribe(bob, toBob);
    JsonNode never = sendToBob();
    assertThat(never.path("addressee").asText()).isEqualTo("queued");
    assertThat(never.has("last_poll_at")).isFalse();
    Await.until("the one before waits", () -> sendToBob().path("waiting").asInt() >= 1);
    FrameClient bobs = group.client();
    bobs.succeed("grace_poll_messages", input("client_id", bob));
    assertThat(sendToBob().path("addressee").asText()).isEqualTo("present");
    bobs.abort();
    JsonNode later =
        Await.value(
            "queued, behind another",
            this::sendToBob,
            sent ->
                sent.path("addressee").asText().equals("queued")
                    && sent.path("waiting").asInt() > 0);
    assertThat(later.path("last_poll_at").asText()).endsWith("Z");
    assertThat(later.path("receivers").asInt()).isEqualTo(1);
  }

  @Test
  void anEavesdropperIsNotTheAddressee() {
    String listener = names.of("w");
    grace.subscribe(listener, "mad.direct." + names.of("*"));
    JsonNode sent = sendToBob();
    assertThat(sent.path("addressee").asText()).isEqualTo("unknown");
    assertThat(sent.path("queues").asInt()).isEqualTo(1);
  }

  @Test
  void whoFollowsSomethingElseHereDoesNotGetIt() {
    grace.subscribe(bob, "mad.topic." + names.of("x"));
    grace.poll(bob);
    assertThat(addressee(bob)).isEqualTo("kept");
    assertThat(sendToBob().path("receivers").asInt()).isZero();
  }

  @Test
  void aTapThatNoServiceHasIsNotCounted() throws Exception {
    String liar = names.of("liar");
    String later = names.of("later");
    try (TestBus participants = new TestBus(redis)) {
      participants.join(bob).subscribe(ChannelPattern.exactly(Channel.direct(bob)), message -> {});
      String beat = Channel.HEARTBEAT.name();
      RawEnvelope made =
          RawEnvelope.on(beat).payload("{\"detail\":{\"tap\":\"%s\"}}".formatted(liar));
      publish(beat, made.from(liar).json(), RawEnvelope.on(beat).from(later).json());
      Await.until("both are heard", () -> addressee(later).equals("kept"));
      assertThat(sendToBob().path("receivers").asInt()).isEqualTo(1);
    }
  }

  @Test
  void aParticipantWithoutRelayIsPresentWhileItListensAndAwayThen() throws Exception {
    try (TestBus participants = new TestBus(redis)) {
      ConversationBus bobs = participants.join(bob);
      var listening = bobs.subscribe(ChannelPattern.exactly(Channel.direct(bob)), message -> {});
      JsonNode sent = sendToBob();
      assertThat(sent.path("addressee").asText()).isEqualTo("present");
      assertThat(sent.path("queues").asInt()).isZero();
      listening.close();
      Await.until("away", () -> addressee(bob).equals("kept"));
    }
  }

  @Test
  void whoDoesNotSayItsNameIsToldThatAnswersDoNotReachIt() {
    JsonNode sent = group.call("grace_send_message", "channel", toBob, "payload", Map.of());
    assertThat(sent.path("note").asText()).startsWith("The sender is grace");
  }
}
