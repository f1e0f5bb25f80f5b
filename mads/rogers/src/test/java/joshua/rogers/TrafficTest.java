package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import joshua.testing.HandWritten;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.Test;

class TrafficTest {
  private static final class Notes implements Observer {
    final List<String> seen = new CopyOnWriteArrayList<>();
    final List<DeadMessage> dead = new CopyOnWriteArrayList<>();
    final List<Unseen> unseen = new CopyOnWriteArrayList<>();

    @Override
    public void seen(Message message) {
      seen.add(
          message.sender()
              + " on "
              + message.channel()
              + " "
              + message.envelope().payload()
              + " "
              + message.body().remaining());
    }

    @Override
    public void malformed(DeadMessage letter) {
      dead.add(letter);
    }

    @Override
    public void unseen(Unseen span) {
      unseen.add(span);
    }
  }

  @Test
  void everyMessageOfTheBusIsObservedInOrderAndGapsAreTold() throws Exception {
    Notes notes = new Notes();
    try (Watch watch = Watch.start()) {
      MetricsCollector collector = watch.collector(List.of(notes));
      String first = HandWritten.on("mad.topic.x").from("ann").payload("{\"n\":1}").json();
      String second = HandWritten.on("mad.direct.y").from("bob").payload("{\"n\":2}").json();
      try (RawRedis raw = watch.redis().raw()) {
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
      assertThat(collector.senders()).extracting(Sender::messages).containsExactly(1L, 1L);
      assertThat(notes.unseen).extracting(Unseen::reason).containsExactly(Unseen.NOT_RUNNING);

      watch.redis().kill();
      await().until(() -> notes.unseen.size() == 3);
      assertThat(notes.unseen.get(1).until()).isEmpty();
      assertThat(notes.unseen.get(2).until()).isPresent();
    }
  }
}
