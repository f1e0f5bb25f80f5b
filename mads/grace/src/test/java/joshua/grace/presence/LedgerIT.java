package joshua.grace.presence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import joshua.conversation.ChannelPattern;
import joshua.grace.GraceConfig;
import joshua.grace.RunningGrace;
import joshua.kernel.Json;
import joshua.testing.RawEnvelope;
import joshua.testing.RawListener;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Grace's ledger (+RG-17), as any client reads it from the bus. */
final class LedgerIT {
  private static final String CHANNEL = "mad.system.ledger";
  private static final GraceConfig SMALL = new GraceConfig(5, 3, 1L << 30);
  private static final Duration SOON = Duration.ofSeconds(20);

  private RealRedis redis;
  private RawListener listener;

  @BeforeEach
  void startRedis() {
    redis = RealRedis.start();
    listener = RawListener.on(redis, "mad.*");
  }

  @AfterEach
  void stopRedis() {
    listener.close();
    redis.close();
  }

  private static JsonNode payload(String body) {
    try {
      return Json.parse(body).path("payload");
    } catch (Json.MalformedJsonException e) {
      return Json.object();
    }
  }

  private List<JsonNode> ledgers() {
    return listener.on(CHANNEL).stream()
        .map(LedgerIT::payload)
        .filter(payload -> payload.has("subscriptions"))
        .toList();
  }

  /** The second ledger from now on: it includes what happened before this call. */
  private JsonNode nextLedger() {
    int before = ledgers().size();
    await().atMost(SOON).until(() -> ledgers().size() >= before + 2);
    return ledgers().get(before + 1);
  }

  private static String pairs(JsonNode ledger) {
    JsonNode pairs = ledger.path("pairs");
    JsonNode dropped = pairs.path("dropped");
    return "%s = %s + %s/%s/%s + %s"
        .formatted(
            pairs.path("matched"),
            pairs.path("delivered"),
            dropped.path("overflow"),
            dropped.path("evicted"),
            dropped.path("unsubscribed"),
            pairs.path("waiting"));
  }

  private static void arrive(RunningGrace grace, String channel, int messages) throws Exception {
    double before = grace.metric("joshua.grace.matched");
    for (int i = 0; i < messages; i++) {
      grace.send(channel, "{}");
    }
    await().atMost(SOON).until(() -> grace.metric("joshua.grace.matched") >= before + messages);
  }

  @Test
  void whatIsRepeatedIsDeliveredOnceItIsAcknowledged() throws Exception {
    try (RunningGrace grace = RunningGrace.accounting(redis, SMALL)) {
      JsonNode start = grace.subscribe("ann", "mad.topic.a");
      arrive(grace, "mad.topic.a", 3);
      grace.pollFrom("ann", start);
      JsonNode again = grace.pollFrom("ann", start);
      assertThat(pairs(nextLedger())).isEqualTo("3 = 0 + 0/0/0 + 3");

      grace.pollFrom("ann", again);
      assertThat(pairs(nextLedger())).isEqualTo("3 = 3 + 0/0/0 + 0");

      arrive(grace, "mad.topic.a", 2);
      grace.poll("ann");
      assertThat(pairs(nextLedger())).isEqualTo("5 = 5 + 0/0/0 + 0");
    }
  }

  @Test
  void whatIsDroppedIsCountedByItsReasonAndLosersAreNamedOnce() throws Exception {
    try (RunningGrace grace = RunningGrace.accounting(redis, SMALL)) {
      grace.subscribe("ann", "mad.topic.a");
      arrive(grace, "mad.topic.a", 7);
      for (String client : List.of("bob", "cat")) {
        grace.subscribe(client, "mad.topic.b");
      }
      arrive(grace, "mad.topic.b", 4);
      // Ann has made no call for longest: its queue is evicted.
      grace.subscribe("dan", "mad.topic.d");
      grace.call("grace_unsubscribe", "{'client_id':'bob'}");

      assertThat(pairs(nextLedger())).isEqualTo("15 = 0 + 2/5/4 + 4");
      List<String> losers =
          ledgers().stream()
              .flatMap(ledger -> Stream.of(ledger.path("losers")))
              .filter(list -> !list.isEmpty())
              .map(JsonNode::toString)
              .toList();
      assertThat(String.join("", losers).replace("][", ","))
          .isEqualTo(
              "[{\"client_id\":\"ann\",\"missed\":2,\"reason\":\"overflow\"},"
                  + "{\"client_id\":\"ann\",\"missed\":5,\"reason\":\"evicted\"}]");
    }
  }

  @Test
  void aRestoredConnectionCountsAnewAndItsClientsMayHaveMissedSomething() throws Exception {
    try (RunningGrace grace = RunningGrace.accounting(redis, SMALL)) {
      grace.subscribe("ann", "mad.topic.a");
      JsonNode before = nextLedger();
      listener.close();
      redis.kill();
      redis.awaitAnswering();
      listener = RawListener.on(redis, "mad.*");

      JsonNode after = nextLedger();

      assertThat(before.path("subscriptions").path("mad.topic.a").path("since_marker").asLong())
          .isLessThanOrEqualTo(before.path("marker").asLong());
      assertThat(after.path("subscriptions").path("mad.topic.a").path("since_marker").asLong())
          .isGreaterThan(before.path("marker").asLong());
      assertThat(after.path("epoch")).isEqualTo(before.path("epoch"));
      assertThat(ledgers().toString())
          .contains("{\"client_id\":\"ann\",\"missed\":null,\"reason\":\"reconnect\"}");
    }
  }

  @Test
  void moreThanAThousandSubscriptionsAreToldInParts() throws Exception {
    try (RunningGrace grace = RunningGrace.accounting(redis, new GraceConfig(5, 10, 1L << 30))) {
      for (String client : List.of("ann", "bob")) {
        grace.subscribe(
            client,
            IntStream.range(0, 600)
                .mapToObj(i -> "mad.topic.%s.%d".formatted(client, i))
                .toArray(String[]::new));
      }
      int before = ledgers().size();
      await().atMost(SOON).until(() -> ledgers().size() >= before + 4);
      List<JsonNode> last = ledgers();

      JsonNode first = last.stream().filter(l -> l.path("part").asInt() == 1).toList().getLast();
      JsonNode second =
          await()
              .atMost(SOON)
              .until(
                  () ->
                      ledgers().stream()
                          .filter(l -> l.path("part").asInt() == 2)
                          .filter(l -> l.path("marker").equals(first.path("marker")))
                          .findFirst(),
                  Optional::isPresent)
              .orElseThrow();
      assertThat(first.path("parts").asInt()).isEqualTo(2);
      assertThat(first.path("subscriptions")).hasSize(1_000);
      assertThat(first.has("pairs")).isFalse();
      assertThat(second.path("pairs").path("matched").isIntegralNumber()).isTrue();
      assertThat(second.path("losers").isArray()).isTrue();
    }
  }

  @Test
  void whatSheReceivedIsWhatWasPublishedBetweenTheSameMarkers() throws Exception {
    long seed = new Random().nextLong();
    System.out.println("LedgerIT seed " + seed);
    Random random = new Random(seed);
    List<String> topics = List.of("mad.topic.a", "mad.topic.b", "mad.topic.*", "mad.*", "mad.*b");
    try (RunningGrace grace = RunningGrace.accounting(redis, new GraceConfig(50, 3, 1L << 30));
        RawRedis third = redis.raw()) {
      for (int i = 0; i < 4_000; i++) {
        String channel = "mad.topic." + "abc".charAt(random.nextInt(3));
        third.publish(
            channel, random.nextInt(20) == 0 ? "no envelope" : RawEnvelope.on(channel).json());
        if (i % 40 == 0) {
          stir(grace, topics, random);
        }
        if (i % 400 == 399) {
          // However fast the machine is, there are ledgers to compare.
          nextLedger();
        }
      }
    }
    int compared = compareAll();
    assertThat(compared).isGreaterThan(20);
  }

  private static void stir(RunningGrace grace, List<String> topics, Random random)
      throws Exception {
    String client = "client-" + random.nextInt(5);
    switch (random.nextInt(4)) {
      case 0 -> grace.call("grace_unsubscribe", "{'client_id':'%s'}".formatted(client));
      case 1 -> grace.poll(client);
      default -> grace.subscribe(client, topics.get(random.nextInt(topics.size())));
    }
  }

  /**
   * Compares every two successive ledgers with what the listener received between their markers.
   */
  private int compareAll() {
    List<RawListener.Heard> heard = listener.heard();
    int compared = 0;
    Optional<JsonNode> before = Optional.empty();
    for (JsonNode ledger : ledgers()) {
      assertThat(balance(ledger)).as("rule 2").isZero();
      if (before.isPresent()) {
        compared += compare(heard, before.get(), ledger);
      }
      before = Optional.of(ledger);
    }
    return compared;
  }

  private static long balance(JsonNode ledger) {
    JsonNode pairs = ledger.path("pairs");
    long dropped = 0;
    for (JsonNode reason : pairs.path("dropped")) {
      dropped += reason.asLong();
    }
    return pairs.path("matched").asLong()
        - pairs.path("delivered").asLong()
        - pairs.path("waiting").asLong()
        - dropped;
  }

  private static int compare(List<RawListener.Heard> heard, JsonNode before, JsonNode after) {
    int compared = 0;
    List<RawListener.Heard> between =
        heard.subList(marker(heard, before.path("marker")), marker(heard, after.path("marker")));
    for (var subscription : after.path("subscriptions").properties()) {
      JsonNode earlier = before.path("subscriptions").path(subscription.getKey());
      JsonNode later = subscription.getValue();
      if (earlier.path("since_marker").equals(later.path("since_marker"))) {
        ChannelPattern pattern = new ChannelPattern(subscription.getKey());
        assertThat(later.path("received").asLong() - earlier.path("received").asLong())
            .as("%s from marker %s to %s", pattern, before.path("marker"), after.path("marker"))
            .isEqualTo(
                between.stream().filter(message -> pattern.matches(message.channel())).count());
        compared++;
      }
    }
    return compared;
  }

  private static int marker(List<RawListener.Heard> heard, JsonNode marker) {
    for (int i = 0; i < heard.size(); i++) {
      if (heard.get(i).channel().equals(CHANNEL)) {
        JsonNode payload = payload(heard.get(i).body());
        if (payload.path("marker").equals(marker) && !payload.has("subscriptions")) {
          return i;
        }
      }
    }
    throw new AssertionError("marker " + marker + " was never heard");
  }
}
