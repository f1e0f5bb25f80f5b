package joshua.conversation.redis;

import static joshua.conversation.redis.Participants.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Draft;
import joshua.conversation.Sent;
import joshua.conversation.Taken;
import joshua.kernel.Json;
import joshua.testing.Fault;
import joshua.testing.Faults;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What is full answers so, and works again when it isn't. */
@Isolated("fills both processors")
class LimitsTest {
  private static final int PATTERN_LIMIT = 50_000;

  private final Participants participants = new Participants();

  @AfterEach
  void leave() {
    participants.close();
  }

  @Test
  void whatRedisHasNotRepliedToIsBoundedAndOneMoreIsRefusedUnsent() throws Exception {
    try (Faults network = Faults.before(participants.redis().port())) {
      LineTiming patient =
          new LineTiming(
              Duration.ofMinutes(1),
              Duration.ofMinutes(1),
              Duration.ofSeconds(20),
              Duration.ofSeconds(20),
              Duration.ofSeconds(20));
      ConversationBus alice = participants.join("alice", network.url(), patient);
      network.inject(new Fault.Stall());
      String large = "x".repeat((int) Participants.ENVELOPE_LIMIT - 1_000);
      List<CompletableFuture<Sent>> sent = new ArrayList<>();
      Draft draft = Draft.on(Channel.topic("x"), Json.object().put("text", large));
      while (sent.isEmpty() || !sent.getLast().isDone()) {
        sent.add(alice.sendAsync(draft));
      }
      assertThat(sent.getLast().join())
          .isInstanceOfSatisfying(
              Sent.Refused.class,
              refused -> {
                assertThat(refused.refusal().message())
                    .contains("does not keep up")
                    .contains("Send more slowly");
                assertThat(refused.refusal().details().get("outcome").textValue())
                    .isEqualTo("not_sent");
              });
      assertThat((long) sent.size() * large.length())
          .isBetween(PublishingEnd.BYTE_LIMIT * 9 / 10, PublishingEnd.BYTE_LIMIT * 11 / 10);
      network.heal();
      await().until(() -> sent.getFirst().isDone());
      await().until(() -> alice.send(draft) instanceof Sent.Accepted);
    }
  }

  @Test
  void fiftyThousandPatternsAreFollowedAndRestoredAndOneMoreIsRefused() throws Exception {
    try (Faults network = Faults.before(participants.redis().port());
        RawRedis raw = participants.redis().raw()) {
      ConversationBus alice = participants.join("alice", network.url(), Participants.CALM);
      Taken taken = new Taken();
      // One is the presence that every participant follows. Most are names: a PSUBSCRIBE takes
      // Redis 7.0 as long as the connection has patterns already.
      List<ChannelPattern> most =
          IntStream.range(0, PATTERN_LIMIT - 1)
              .mapToObj(n -> new ChannelPattern("mad.topic.t" + n + (n % 100 == 99 ? ".*" : "")))
              .toList();
      alice.followAsync(taken, most).get(60, TimeUnit.SECONDS);
      assertThat(raw.patterns()).isEqualTo(PATTERN_LIMIT / 100 - 1);
      assertThat(alice.followAsync(taken, List.of(ChannelPattern.ALL)))
          .failsWithin(Duration.ofSeconds(1))
          .withThrowableThat()
          .withMessageContaining("more than 50000 distinct patterns");

      network.inject(new Fault.Cut());
      taken.awaitGaps(1);
      network.heal();
      await().until(() -> raw.patterns() == PATTERN_LIMIT / 100 - 1);
      await()
          .until(() ->
              alice.send(Draft.on(Channel.topic("t49998"), numbered(1)))
                      instanceof Sent.Accepted accepted
                  && accepted.receivers() == 1);
      taken.awaitMessages(1);
    }
  }
}
