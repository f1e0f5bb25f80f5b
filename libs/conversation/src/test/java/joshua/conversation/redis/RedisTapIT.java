package joshua.conversation.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import joshua.conversation.BusTap;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ByteRange;
import joshua.kernel.TimedWait;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisTapIT {
  private static class Notes implements BusTap.Feed {
    final List<String> all = new CopyOnWriteArrayList<>();
    final List<Instant> away = new CopyOnWriteArrayList<>();

    @Override
    public void message(ByteRange channel, ByteRange body) {
      all.add(channel.text() + " " + body.text());
    }

    @Override
    public void oversized(ByteRange channel, ByteRange head, long size) {
      all.add("oversized " + channel.text() + " " + size);
    }

    @Override
    public void watching(Instant at) {
      all.add("watching");
    }

    @Override
    public void away(Instant since) {
      away.add(since);
      all.add("away");
    }

    @Override
    public void reached(Instant asked) {
      all.add("reached");
    }
  }

  private final BusParticipants participants = new BusParticipants();

  @AfterEach
  void close() {
    participants.close();
  }

  private RedisTap tap(ConnectionTimeouts timing) throws Exception {
    return new RedisTap(
        "rogers",
        participants.address(participants.redis().url()),
        1_000,
        timing,
        TimedWait.system(),
        InstantSource.system());
  }

  @Test
  void oneCopyOfEachMessageComesInOrderWithTheSigns() throws Exception {
    Notes notes = new Notes();
    try (RedisTap tap = tap(BusParticipants.CALM);
        RawRedis raw = participants.redis().raw()) {
      tap.open(notes);
      raw.publish("mad.topic.a", "1");
      raw.publish("mad.\u00e4", "2");
      raw.publish("mad.topic.a", "x".repeat(1_001));
      tap.sound();
      await().until(() -> notes.all.contains("reached"));
      raw.publish("mad.topic.b", "3");
      await().until(() -> notes.all.size() == 6);
    }
    assertThat(notes.all)
        .containsExactly(
            "watching",
            "mad.topic.a 1",
            "mad.\u00c3\u00a4 2",
            "oversized mad.topic.a 1001",
            "reached",
            "mad.topic.b 3");
  }

  @Test
  void aTapThatIsTooSlowIsCutOffByRedisAndToldSo() throws Exception {
    CountDownLatch slow = new CountDownLatch(1);
    Notes notes =
        new Notes() {
          @Override
          public void oversized(ByteRange channel, ByteRange head, long size) {
            try {
              slow.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        };
    try (RedisTap tap = tap(BusParticipants.CALM);
        RawRedis raw = participants.redis().raw()) {
      Instant before = Instant.now();
      tap.open(notes);
      // More than client-output-buffer-limit allows.
      byte[] megabyte = new byte[1024 * 1024];
      for (int sent = 0; sent < 300; sent++) {
        raw.publish("mad.topic.a", megabyte);
      }
      slow.countDown();
      await().until(() -> notes.all.size() == 3 && tap.isUsable());
      raw.publish("mad.topic.a", "2");
      await().until(() -> notes.all.contains("mad.topic.a 2"));
      assertThat(notes.away.getFirst()).isBetween(before, Instant.now());
    }
    assertThat(notes.all).containsExactly("watching", "away", "watching", "mad.topic.a 2");
  }

  @Test
  void aRedisThatSaysNothingAnyMoreIsNoticed() throws Exception {
    Notes notes = new Notes();
    try (RedisTap tap = tap(BusParticipants.FAST)) {
      tap.open(notes);
      participants.redis().freeze();
      try {
        await().until(() -> notes.all.contains("away"));
        assertThat(tap.isUsable()).isFalse();
      } finally {
        participants.redis().thaw();
      }
      await().until(tap::isUsable);
    }
  }

  @Test
  void withoutRedisItDoesNotOpen() throws Exception {
    RedisAddress nowhere =
        RedisAddress.of(
            "redis://127.0.0.1:1",
            Optional.of("x"),
            Optional.empty(),
            BusParticipants.FAST.connectWithin());
    try (RedisTap tap =
        new RedisTap(
            "rogers",
            nowhere,
            1_000,
            BusParticipants.FAST,
            TimedWait.system(),
            InstantSource.system())) {
      assertThatThrownBy(() -> tap.open(new Notes()))
          .isInstanceOf(BusUnavailableException.class)
          .hasMessageContaining("connection refused");
    }
  }
}
