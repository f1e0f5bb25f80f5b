package joshua.rogers.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import joshua.conversation.ByteRange;
import joshua.rogers.ObserverFixture;
import joshua.rogers.tap.DeadMessage;
import joshua.rogers.tap.FlushQueue;
import joshua.rogers.tap.MessageObserver;
import joshua.rogers.tap.ObservedMessage;
import joshua.rogers.tap.TrackedSender;
import joshua.rogers.tap.UnwatchedSpan;
import joshua.rogers.tool.MetricsCollector;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.Test;

class TrafficReaderTest {
  private static final class Notes implements MessageObserver {
    final List<String> seen = new CopyOnWriteArrayList<>();
    final List<DeadMessage> dead = new CopyOnWriteArrayList<>();
    final List<UnwatchedSpan> unseen = new CopyOnWriteArrayList<>();

    @Override
    public void seen(ObservedMessage observedMessage) {
      seen.add(
          observedMessage.sender()
              + " on "
              + observedMessage.channel()
              + " "
              + observedMessage.envelope().payload()
              + " "
              + observedMessage.body().remaining());
    }

    @Override
    public void malformed(DeadMessage letter) {
      dead.add(letter);
    }

    @Override
    public void unseen(UnwatchedSpan span) {
      unseen.add(span);
    }
  }

  @Test
  void everyMessageOfTheBusIsObservedInOrderAndGapsAreTold() throws Exception {
    Notes notes = new Notes();
    try (ObserverFixture fixture = ObserverFixture.start()) {
      MetricsCollector collector = fixture.collector(List.of(notes));
      String first = RawEnvelope.on("mad.topic.x").from("ann").payload("{\"n\":1}").json();
      String second = RawEnvelope.on("mad.direct.y").from("bob").payload("{\"n\":2}").json();
      try (RawRedis raw = fixture.redis().raw()) {
        raw.publish("mad.topic.x", first);
        raw.publish("mad.other", "no envelope");
        raw.publish("mad.direct.y", second);
      }
      await().until(() -> notes.seen.size() == 2);
      assertThat(notes.seen)
          .containsExactly(
              "ann on mad.topic.x {\"n\":1} " + first.length(),
              "bob on mad.direct.y {\"n\":2} " + second.length());
      assertThat(notes.dead).hasSize(1);
      assertThat(collector.senders()).extracting(TrackedSender::messages).containsExactly(1L, 1L);
      assertThat(notes.unseen)
          .extracting(UnwatchedSpan::reason)
          .containsExactly(UnwatchedSpan.NOT_RUNNING);

      fixture.redis().kill();
      await().until(() -> notes.unseen.size() == 3);
      assertThat(notes.unseen.get(1).until()).isEmpty();
      assertThat(notes.unseen.get(2).until()).isPresent();
    }
  }

  @Test
  void whatWouldTakeTooMuchMemoryIsADeadLetterThatIsTold() throws Exception {
    Notes notes = new Notes();
    String tree = "{\"a\":[" + "{},".repeat(300_000) + "0]}";
    String text = RawEnvelope.on("mad.topic.x").from("ann").payload(tree).json();
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    HourlyCounter hourlyCounter = new HourlyCounter(new FlushQueue(), 10);
    TrafficReader trafficReader = new TrafficReader(InstantSource.system(), hourlyCounter, 1 << 20);
    trafficReader.begin(InstantSource.system().instant(), List.of(notes));

    trafficReader.message(range("mad.topic.x".getBytes(StandardCharsets.UTF_8)), range(body));

    assertThat(notes.dead).hasSize(1);
    DeadMessage dead = notes.dead.getFirst();
    assertThat(dead.channel()).isEqualTo("mad.topic.x");
    assertThat(dead.reason()).contains("would take more than 24 MiB of memory");
    assertThat(dead.head()).hasSize(DeadMessage.HEAD_LIMIT);
    assertThat(dead.size()).isEqualTo(body.length);
    assertThat(notes.seen).isEmpty();
  }

  private static ByteRange range(byte[] bytes) {
    ByteRange range = new ByteRange();
    range.set(bytes, 0, bytes.length);
    return range;
  }
}
