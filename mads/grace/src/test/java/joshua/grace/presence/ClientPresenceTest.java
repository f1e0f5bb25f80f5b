package joshua.grace.presence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.grace.GraceConfig;
import joshua.grace.RunningGrace;
import joshua.grace.meter.RelayMeters;
import joshua.grace.queue.ClientActivity;
import joshua.grace.queue.ClientQueues;
import joshua.grace.queue.KnownNames;
import joshua.grace.queue.ReadingRights;
import joshua.kernel.TimedWait;
import joshua.network.mcp.ChangeWatchers;
import joshua.testing.RawListener;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;

/** Tests for which clients Grace sends presence, and in what order (wire contract §2). */
final class ClientPresenceTest {
  private static final List<ChannelPattern> TOPICS = List.of(new ChannelPattern("mad.topic.a"));

  private static ClientQueues queues(RunningGrace grace) {
    return new ClientQueues(
        new GraceConfig(100, 1_000, 1L << 20),
        grace.bus,
        grace.clocks(),
        new RelayMeters(new SimpleMeterRegistry()),
        new ChangeWatchers(),
        new KnownNames(grace.time, 1));
  }

  @Test
  void whoCallsAllTheTimeBeatsLikeEverybodyWhenThereAreMoreThanBeats() throws Exception {
    try (RunningGrace grace = RunningGrace.apart(new GraceConfig(100, 1_000, 1L << 20))) {
      ClientQueues queues = queues(grace);
      for (int i = 0; i < 150; i++) {
        queues.follow("client-" + i, ReadingRights.ALL, TOPICS, Optional.empty());
      }
      Set<String> beaten = new HashSet<>();

      for (int round = 0; round < 2; round++) {
        grace.time.advance(ClientActivity.BEAT_EVERY);
        queues.called("client-149");
        beaten.addAll(queues.takeBeatsDue(ClientPresence.BEATS_PER_SECOND));
      }

      assertThat(beaten).hasSize(150);
    }
  }

  @Test
  void aClockThatIsSetDeclaresNobodyGone() throws Exception {
    try (RunningGrace grace = RunningGrace.apart(RunningGrace.ROOMY)) {
      ClientQueues queues = queues(grace);
      queues.follow("ann", ReadingRights.ALL, TOPICS, Optional.empty());

      grace.time.put(Duration.ofHours(1));
      assertThat(queues.takeAbsent()).isEmpty();
      assertThat(queues.takeBeatsDue(100)).isEmpty();
      grace.time.put(Duration.ofHours(-3));
      grace.time.advance(ClientActivity.BEAT_EVERY);
      assertThat(queues.takeBeatsDue(100)).containsExactly("ann");
      grace.time.advance(ClientActivity.ABSENT_AFTER);
      assertThat(queues.takeAbsent()).containsExactly("ann");
    }
  }

  @Test
  void nothingThatComesLateIsSaidOfWhoHasComeBackOrGone() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RawListener listener = RawListener.on(redis, Channel.PRESENCE.name());
        RunningGrace grace = RunningGrace.on(redis)) {
      ClientQueues queues = queues(grace);
      ClientPresence presence = new ClientPresence(grace.bus, queues, TimedWait.system());
      queues.follow("ann", ReadingRights.ALL, TOPICS, Optional.empty());
      grace.time.advance(ClientActivity.ABSENT_AFTER.plusSeconds(1));
      List<String> absent = queues.takeAbsent();
      assertThat(absent).containsExactly("ann");

      // It polls before the leave is sent.
      assertThat(queues.called("ann")).isTrue();
      presence.came("ann");
      presence.left(absent, "no call");
      queues.unfollow("ann", Optional.empty());
      presence.left("ann", "unsubscribed");
      // And its queue is closed before a join is sent.
      presence.came("ann");
      presence.left("ann", "the last word");

      await().until(() -> said(listener).stream().anyMatch(word -> word.contains("the last word")));
      assertThat(said(listener))
          .satisfiesExactly(
              join -> assertThat(join).contains("\"event\":\"join\""),
              leave -> assertThat(leave).contains("\"event\":\"leave\"", "unsubscribed"),
              leave -> assertThat(leave).contains("\"event\":\"leave\"", "the last word"));
    }
  }

  private static List<String> said(RawListener listener) {
    return listener.on(Channel.PRESENCE.name()).stream()
        .filter(word -> word.contains("\"sender_id\":\"ann\""))
        .toList();
  }
}
