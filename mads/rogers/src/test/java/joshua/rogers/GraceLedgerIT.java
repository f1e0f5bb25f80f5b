package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import joshua.conversation.BusLink;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Participant;
import joshua.conversation.redis.RedisLink;
import joshua.grace.Grace;
import joshua.grace.GraceConfig;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.kernel.TimedWait;
import joshua.network.Caller;
import joshua.network.ToolRegistry;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares Grace's own ledger under load with what Rogers counts ("Works" 13). */
final class GraceLedgerIT {
  private static final String LOSSES =
      "select hop, subject, expected - actual, reason from losses order by loss_id";
  private static final List<String> TOPICS =
      List.of("mad.topic.a", "mad.topic.b", "mad.topic.c", "mad.topic.*", "mad.*", "mad.t*b");

  private @TempDir Path directory;
  private RealRedis redis;
  private LossAccountFixture fixture;

  @BeforeEach
  void start() throws Exception {
    redis = RealRedis.start();
    fixture = new LossAccountFixture(redis, directory);
  }

  @AfterEach
  void stop() {
    fixture.close();
    redis.close();
  }

  /** A Grace whose connection delivers only the copies that {@code passes} lets through. */
  private static final class Relay implements AutoCloseable {
    private final ConversationBus bus;
    private final Grace grace;
    private final ToolRegistry tools;

    Relay(RealRedis redis, TimedWait timedWait, Predicate<String> passes) throws Exception {
      InstantSource time = InstantSource.system();
      SimpleMeterRegistry meters = new SimpleMeterRegistry();
      RedisLink link =
          new RedisLink("grace", LossAccountFixture.address(redis), TimedWait.system(), time);
      bus =
          new ConversationBus(
                  new Participant("grace", "grace-1", "test", time.instant()),
                  new Leaking(link, passes),
                  time,
                  1 << 20,
                  meters,
                  ConversationBus::noDetail)
              .open();
      grace = new Grace(new GraceConfig(50, 4, 1L << 26), bus, time, timedWait, meters).start();
      tools = new ToolRegistry(grace.tools(), meters, time);
    }

    void call(String tool, String client, String... topics) throws InterruptedException {
      ObjectNode input = Json.object().put("client_id", client);
      if (topics.length > 0) {
        ArrayNode list = input.putArray("topics");
        List.of(topics).forEach(list::add);
      }
      tools.begin(tool, input, new Caller(Optional.empty(), Role.ADMIN, "test")).await();
    }

    @Override
    public void close() {
      grace.close();
      bus.close();
    }
  }

  /** A link that silently swallows copies on their way from Redis. */
  private record Leaking(BusLink link, Predicate<String> passes) implements BusLink {
    @Override
    public void open(Feed feed) throws BusUnavailableException, InterruptedException {
      link.open(
          new Feed() {
            @Override
            public void copy(ChannelPattern subscription, String channel, byte[] body) {
              if (passes.test(channel)) {
                feed.copy(subscription, channel, body);
              }
            }

            @Override
            public void subscribed(ChannelPattern subscription, long wish) {
              feed.subscribed(subscription, wish);
            }

            @Override
            public void refused(ChannelPattern subscription, long wish, String why) {
              feed.refused(subscription, wish, why);
            }

            @Override
            public void unsubscribed(ChannelPattern subscription) {
              feed.unsubscribed(subscription);
            }

            @Override
            public void lost(Instant since) {
              feed.lost(since);
            }

            @Override
            public void partlyRestored() {
              feed.partlyRestored();
            }

            @Override
            public void restored() {
              feed.restored();
            }

            @Override
            public void overflowed(long copies, Instant since) {
              feed.overflowed(copies, since);
            }
          });
    }

    @Override
    public CompletionStage<Publication> publish(Channel channel, byte[] body) {
      return link.publish(channel, body);
    }

    @Override
    public CompletionStage<List<Long>> listeners(List<Channel> channels) {
      return link.listeners(channels);
    }

    @Override
    public CompletionStage<Long> patterns() {
      return link.patterns();
    }

    @Override
    public long want(ChannelPattern subscription) {
      return link.want(subscription);
    }

    @Override
    public void unwant(ChannelPattern subscription) {
      link.unwant(subscription);
    }

    @Override
    public boolean isUsable() {
      return link.isUsable();
    }

    @Override
    public String address() {
      return link.address();
    }

    @Override
    public void close() {
      link.close();
    }
  }

  @Test
  void nothingIsFoundInAFloodWithComingAndGoingClientsAndAKilledRedis() throws Exception {
    long seed = new Random().nextLong();
    System.out.println("GraceLedgerIT seed " + seed);
    Random random = new Random(seed);
    TimedWait quick = duration -> TimedWait.system().pause(duration.dividedBy(20));
    try (Relay relay = new Relay(redis, quick, channel -> true)) {
      for (int round = 0; round < 2; round++) {
        flood(relay, random);
        long ledgers = ledgers();
        redis.kill();
        redis.awaitAnswering();
        await().atMost(Duration.ofSeconds(30)).until(() -> ledgers() > ledgers + 3);
      }
      flood(relay, random);
      long ledgers = ledgers();
      await().atMost(Duration.ofSeconds(10)).until(() -> ledgers() > ledgers + 2);
    }
    System.out.println(
        "GraceLedgerIT "
            + fixture.rows(
                "select cuts, compared, not_comparable, messages, dropped from reconciled"));
    assertThat(fixture.rows(LOSSES)).isEmpty();
    assertThat(fixture.number("select sum(messages) from reconciled")).isGreaterThan(20_000);
    assertThat(fixture.number("select sum(compared) from reconciled")).isGreaterThan(200);
    assertThat(fixture.rows("select distinct relay from not_compared")).containsExactly("grace");
  }

  private long ledgers() throws Exception {
    return fixture.number("select coalesce(sum(cuts), 0) from reconciled");
  }

  private void flood(Relay relay, Random random) throws Exception {
    try (RawRedis third = redis.raw()) {
      for (int i = 0; i < 10_000; i++) {
        String channel = "mad.topic." + "abcd".charAt(random.nextInt(4));
        third.publish(
            channel, random.nextInt(50) == 0 ? "no envelope" : RawEnvelope.on(channel).json());
        if (i % 100 == 0) {
          stir(relay, random);
        }
      }
    }
  }

  private static void stir(Relay relay, Random random) throws Exception {
    String client = "client-" + random.nextInt(6);
    switch (random.nextInt(4)) {
      case 0 -> relay.call("grace_unsubscribe", client);
      case 1 -> relay.call("grace_poll_messages", client);
      default -> relay.call("grace_subscribe", client, TOPICS.get(random.nextInt(TOPICS.size())));
    }
  }

  @Test
  void copiesThatNeverReachedGracesCountAreFoundWithinFiveSeconds() throws Exception {
    int[] copies = new int[1];
    Predicate<String> passes =
        channel -> !channel.equals("mad.topic.leak") || ++copies[0] % 10 != 0;
    try (Relay relay = new Relay(redis, TimedWait.system(), passes);
        RawRedis third = redis.raw()) {
      relay.call("grace_subscribe", "ann", "mad.topic.leak");
      await()
          .atMost(Duration.ofSeconds(15))
          .until(() -> fixture.reconciler.knownPatterns().contains("mad.topic.leak"));

      for (int i = 0; i < 25; i++) {
        third.publish("mad.topic.leak", RawEnvelope.on("mad.topic.leak").json());
      }
      long published = System.nanoTime();
      // A cut may fall between the two missing ones.
      await()
          .atMost(LossAccountFixture.WITHIN)
          .until(
              () -> fixture.number("select coalesce(sum(expected - actual), 0) from losses") == 2);

      System.out.println(
          "GraceLedgerIT found after "
              + Duration.ofNanos(System.nanoTime() - published).toMillis()
              + " ms");
      assertThat(fixture.rows("select distinct hop, relay, instance, subject from losses"))
          .containsExactly("bus>grace|grace|grace-1|mad.topic.leak");
      await().atMost(LossAccountFixture.WITHIN).until(() -> !fixture.events.isEmpty());
    }
  }
}
