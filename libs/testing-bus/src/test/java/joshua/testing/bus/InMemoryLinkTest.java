package joshua.testing.bus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import joshua.conversation.BusLink;
import joshua.conversation.ChannelPattern;
import org.junit.jupiter.api.Test;

class InMemoryLinkTest extends BusLinkContract {
  private final InMemoryBus bus = new InMemoryBus(InstantSource.system());

  @Override
  public BusLink link() {
    return bus.link();
  }

  @Override
  public long publish(String channel, byte[] body) {
    return bus.publish(channel, body);
  }

  @Override
  public void cut() {
    bus.cut();
  }

  @Override
  public void heal() {
    bus.heal();
  }

  /** As {@code RedisAccessTest} shows of a Redis whose ACL forbids it. */
  @Test
  void aRefusedSubscriptionIsToldWithItsReasonAndHarmsNoOther() throws Exception {
    ChannelPattern forbidden = new ChannelPattern("mad.secret.*");
    ChannelPattern allowed = new ChannelPattern("mad.topic.x");
    bus.refuse(forbidden);
    RecordingFeed feed = new RecordingFeed();
    try (BusLink link = bus.link()) {
      link.open(feed);
      long wish = link.want(forbidden);
      long other = link.want(allowed);
      feed.awaitEvents("subscribed mad.topic.x " + other, 1);
      assertThat(feed.beginning("refused"))
          .singleElement()
          .asString()
          .startsWith("refused mad.secret.* %d NOPERM".formatted(wish));
      assertThat(bus.publish("mad.secret.x", new byte[1])).isZero();
      assertThat(bus.publish("mad.topic.x", new byte[1])).isEqualTo(1);
      // The next connection asks again.
      bus.cut();
      bus.heal();
      feed.awaitEvents("refused mad.secret.*", 2);
      assertThat(link.isUsable()).isTrue();
    }
  }

  @Test
  void aReaderThatIsTooSlowIsToldHowManyCopiesWereDroppedAndWhere() throws Exception {
    CountDownLatch slow = new CountDownLatch(1);
    RecordingFeed feed =
        new RecordingFeed() {
          @Override
          public void copy(ChannelPattern subscription, String channel, byte[] body) {
            try {
              slow.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            super.copy(subscription, channel, body);
          }
        };
    InMemoryBus small = new InMemoryBus(InstantSource.system(), 64 * 1024);
    try (BusLink link = small.link()) {
      link.open(feed);
      long wish = link.want(new ChannelPattern("mad.topic.x"));
      feed.awaitEvents("subscribed mad.topic.x " + wish, 1);
      for (int n = 0; n < 500; n++) {
        assertThat(small.publish("mad.topic.x", (n + " " + "x".repeat(1_000)).getBytes(UTF_8)))
            .isEqualTo(1);
      }
      slow.countDown();
      await().until(() -> feed.copies().size() + feed.dropped() == 500);
      small.publish("mad.topic.x", "last".getBytes(UTF_8));
      feed.awaitEvents("copy mad.topic.x mad.topic.x last", 1);
      assertThat(feed.dropped()).isBetween(300L, 499L);
      assertThat(feed.copies().size() + feed.dropped()).isEqualTo(501);
      assertThat(feed.events().indexOf("overflowed"))
          .isBetween(
              feed.events().indexOf(feed.copies().getFirst()),
              feed.events().indexOf(feed.copies().getLast()));
    }
  }
}
