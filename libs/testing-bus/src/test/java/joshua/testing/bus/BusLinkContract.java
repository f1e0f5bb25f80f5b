package joshua.testing.bus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import joshua.conversation.BusLink;
import joshua.conversation.BusLink.Publication;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The promises of a {@link BusLink}, by whichever transport. */
public abstract class BusLinkContract {
  private static final Channel TOPIC = Channel.topic("x");
  private static final ChannelPattern NAME = ChannelPattern.exactly(TOPIC);
  private static final ChannelPattern GLOB = new ChannelPattern("mad.topic.*");

  private final List<BusLink> links = new ArrayList<>();

  /** The connection of one more participant, not opened yet. */
  public abstract BusLink link() throws Exception;

  /** Publishes as a third party, whose connection is never cut. */
  public abstract long publish(String channel, byte[] body);

  /** Cuts all connections of participants, and keeps new ones from being made. */
  public abstract void cut();

  public abstract void heal();

  @AfterEach
  void closeLinks() {
    links.forEach(BusLink::close);
  }

  private static ConditionFactory soon() {
    return await()
        .atMost(Duration.ofSeconds(30))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2));
  }

  private BusLink open(BusLink.Feed feed) throws Exception {
    return open(link(), feed);
  }

  private BusLink open(BusLink link, BusLink.Feed feed) throws Exception {
    links.add(link);
    link.open(feed);
    return link;
  }

  private long publish(String channel, String body) {
    return publish(channel, body.getBytes(UTF_8));
  }

  private static <T> T result(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(30, java.util.concurrent.TimeUnit.SECONDS).join();
  }

  private static Publication send(BusLink link, Channel channel, String body) {
    return result(link.publish(channel, body.getBytes(UTF_8)));
  }

  /** Wants them all, and waits until they are confirmed. */
  private static void subscribe(BusLink link, RecordingFeed feed, ChannelPattern... all) {
    for (ChannelPattern each : all) {
      long wish = link.want(each);
      feed.awaitEvents("subscribed %s %d".formatted(each, wish), 1);
    }
  }

  @Test
  void eachRequestHasAHigherNumberAndIsConfirmedByItInOrder() throws Exception {
    RecordingFeed feed = new RecordingFeed();
    BusLink link = open(feed);
    long first = link.want(NAME);
    long second = link.want(GLOB);
    feed.awaitEvents("subscribed", 2);
    assertThat(second).isGreaterThan(first);
    assertThat(feed.beginning("subscribed"))
        .containsExactly("subscribed mad.topic.x " + first, "subscribed mad.topic.* " + second);
  }

  @Test
  void whatIsWantedAlreadyIsNotAskedForAgain() throws Exception {
    RecordingFeed feed = new RecordingFeed();
    BusLink link = open(feed);
    subscribe(link, feed, NAME);
    long wish = link.want(NAME);
    subscribe(link, feed, GLOB);
    assertThat(feed.beginning("subscribed mad.topic.x"))
        .containsExactly("subscribed mad.topic.x " + wish);
  }

  @Test
  void aCopyComesForTheNameAndThenForEachGlobThatMatches() throws Exception {
    RecordingFeed feed = new RecordingFeed();
    BusLink link = open(feed);
    subscribe(link, feed, GLOB, NAME, ChannelPattern.ALL, new ChannelPattern("mad.topic.y"));
    assertThat(publish("mad.topic.x", "1")).isEqualTo(3);
    assertThat(send(link, TOPIC, "2")).isEqualTo(new Publication.Accepted(3));
    feed.awaitEvents("copy", 6);
    assertThat(feed.copies().getFirst()).isEqualTo("copy mad.topic.x mad.topic.x 1");
    assertThat(feed.copies())
        .containsExactlyInAnyOrderElementsOf(
            Stream.of("1", "2")
                .flatMap(body ->
                    Stream.of(NAME, GLOB, ChannelPattern.ALL)
                        .map(each -> "copy %s mad.topic.x %s".formatted(each, body)))
                .toList());
    assertThat(feed.copies().get(3)).isEqualTo("copy mad.topic.x mad.topic.x 2");
  }

  @Test
  void globsMatchByTheRulesOfRedis() throws Exception {
    RecordingFeed feed = new RecordingFeed();
    BusLink link = open(feed);
    List<String> globs =
        List.of(
            "mad.g.?",
            "mad.g.[ab]",
            "mad.g.[^ab]",
            "mad.g.[a-c]x",
            "mad.g.\\*",
            "mad.*.z",
            "mad.g.*",
            "mad.g.[b-a]",
            "mad.g.a*b*c");
    for (String glob : globs) {
      subscribe(link, feed, new ChannelPattern(glob));
    }
    for (String channel :
        List.of("mad.g.", "mad.g.a", "mad.g.c", "mad.g.bx", "mad.g.*", "mad.g.y.z", "mad.g.axbc")) {
      long expected =
          globs.stream().filter(glob -> new ChannelPattern(glob).matches(channel)).count();
      assertThat(publish(channel, "-")).as(channel).isEqualTo(expected);
    }
    assertThat(publish("mad.g.a", "last")).isEqualTo(4);
    feed.awaitEvents("copy mad.g.[ab] mad.g.a last", 1);
    assertThat(feed.copies())
        .contains("copy mad.g.\\* mad.g.* -", "copy mad.*.z mad.g.y.z -")
        .doesNotContain("copy mad.g.[^ab] mad.g.a -", "copy mad.g.? mad.g.bx -");
  }

  @Test
  void bytesPassAsTheyAreInChannelsAndInBodies() throws Exception {
    RecordingFeed feed = new RecordingFeed();
    BusLink link = open(feed);
    subscribe(link, feed, ChannelPattern.ALL);
    publish("mad.t\u00f6pic x", new byte[] {(byte) 0xff, 0, '\r', '\n'});
    feed.awaitEvents("copy", 1);
    assertThat(feed.copies()).containsExactly("copy mad.* mad.t\u00c3\u00b6pic x \u00ff\0\r\n");
  }

  @Test
  void whatOnePublisherSendsComesInItsOrder() throws Exception {
    RecordingFeed feed = new RecordingFeed();
    BusLink receiver = open(feed);
    BusLink sender = open(new RecordingFeed());
    subscribe(receiver, feed, NAME);
    List<CompletableFuture<Publication>> sent =
        IntStream.range(0, 1_000)
            .mapToObj(n -> sender.publish(TOPIC, Integer.toString(n).getBytes(UTF_8)))
            .map(CompletionStage::toCompletableFuture)
            .toList();
    assertThat(sent).allMatch(each -> result(each).equals(new Publication.Accepted(1)));
    feed.awaitEvents("copy", 1_000);
    assertThat(feed.copies())
        .containsExactlyElementsOf(
            IntStream.range(0, 1_000).mapToObj(n -> "copy mad.topic.x mad.topic.x " + n).toList());
  }

  @Test
  void theCountOfReceiversIsOfAllSubscriptionsOfAllConnections() throws Exception {
    RecordingFeed one = new RecordingFeed();
    RecordingFeed other = new RecordingFeed();
    BusLink first = open(one);
    BusLink second = open(other);
    assertThat(send(first, TOPIC, "-")).isEqualTo(new Publication.Accepted(0));
    subscribe(first, one, NAME, GLOB);
    subscribe(second, other, GLOB);
    assertThat(send(second, TOPIC, "-")).isEqualTo(new Publication.Accepted(3));
    assertThat(result(first.listeners(List.of(Channel.topic("nobody"), TOPIC))))
        .containsExactly(0L, 1L);
    assertThat(result(first.patterns())).isEqualTo(1);
    subscribe(second, other, NAME, ChannelPattern.ALL);
    assertThat(result(first.listeners(List.of(TOPIC)))).containsExactly(2L);
    assertThat(result(second.patterns())).isEqualTo(2);
  }

  @Test
  void whatIsUnwantedEndsWithAConfirmationAfterWhichNothingComes() throws Exception {
    RecordingFeed feed = new RecordingFeed();
    BusLink link = open(feed);
    subscribe(link, feed, NAME, GLOB);
    publish("mad.topic.x", "1");
    link.unwant(NAME);
    feed.awaitEvents("unsubscribed mad.topic.x", 1);
    assertThat(publish("mad.topic.x", "2")).isEqualTo(1);
    link.unwant(GLOB);
    feed.awaitEvents("unsubscribed mad.topic.*", 1);
    assertThat(publish("mad.topic.x", "3")).isZero();
    assertThat(feed.events().stream().filter(each -> !each.equals("restored")))
        .endsWith(
            "copy mad.topic.x mad.topic.x 1",
            "copy mad.topic.* mad.topic.x 1",
            "unsubscribed mad.topic.x",
            "copy mad.topic.* mad.topic.x 2",
            "unsubscribed mad.topic.*");
  }

  @Test
  void whatIsUnwantedAndWantedAgainIsConfirmedAgainInThatOrder() throws Exception {
    RecordingFeed feed = new RecordingFeed();
    BusLink link = open(feed);
    long first = link.want(GLOB);
    link.unwant(GLOB);
    link.unwant(NAME);
    long second = link.want(GLOB);
    feed.awaitEvents("subscribed mad.topic.* " + second, 1);
    assertThat(feed.events().stream().filter(each -> each.contains("subscribed")))
        .containsExactly(
            "subscribed mad.topic.* " + first,
            "unsubscribed mad.topic.*",
            "subscribed mad.topic.* " + second);
    assertThat(publish("mad.topic.x", "-")).isEqualTo(1);
  }

  @Test
  void aLostConnectionIsToldAndWhatIsPublishedMeanwhileIsMissed() throws Exception {
    RecordingFeed feed = new RecordingFeed();
    BusLink link = open(feed);
    subscribe(link, feed, NAME, GLOB);
    long wish = link.want(NAME);
    publish("mad.topic.x", "1");
    feed.awaitEvents("copy", 2);
    Instant before = Instant.now();
    cut();
    feed.awaitEvents("lost", 1);
    assertThat(feed.losses().getFirst()).isBeforeOrEqualTo(Instant.now());
    assertThat(feed.losses().getFirst()).isAfter(before.minusSeconds(60));
    soon().until(() -> publish("mad.topic.x", "2") == 0);
    assertThat(feed.events().getLast()).isEqualTo("lost");

    heal();
    feed.awaitEvents("subscribed mad.topic.x " + wish, 2);
    soon().until(() -> publish("mad.topic.x", "3") == 2);
    feed.awaitEvents("copy mad.topic.x mad.topic.x 3", 1);
    List<String> after =
        feed.events().subList(feed.events().indexOf("lost") + 1, feed.events().size());
    assertThat(after).doesNotContain("copy mad.topic.x mad.topic.x 2");
    // Who has missed something knows that before it gets what was published afterwards.
    assertThat(after.indexOf("restored"))
        .isNotNegative()
        .isLessThan(after.indexOf("copy mad.topic.x mad.topic.x 3"));
  }

  @Test
  void whileItIsAwaySendsAreRefusedUnwrittenAndQuestionsFail() throws Exception {
    BusLink link = open(new RecordingFeed());
    assertThat(link.isUsable()).isTrue();
    cut();
    soon().until(() -> send(link, TOPIC, "-") instanceof Publication.NotWritten);
    soon().until(() -> !link.isUsable());
    assertThat(send(link, TOPIC, "-"))
        .isEqualTo(
            new Publication.NotWritten(
                "Redis at %s is away; try again when it is back.".formatted(link.address())));
    assertThatThrownBy(() -> result(link.patterns()))
        .hasCauseInstanceOf(BusUnavailableException.class);
    assertThatThrownBy(() -> result(link.listeners(List.of(TOPIC))))
        .hasCauseInstanceOf(BusUnavailableException.class);
    heal();
    soon().until(link::isUsable);
    assertThat(send(link, TOPIC, "-")).isEqualTo(new Publication.Accepted(0));
  }

  @Test
  void whatIsWantedOrUnwantedWhileItIsAwayIsSoWhenItIsBack() throws Exception {
    RecordingFeed feed = new RecordingFeed();
    BusLink link = open(feed);
    subscribe(link, feed, NAME, ChannelPattern.ALL);
    cut();
    feed.awaitEvents("lost", 1);
    link.unwant(NAME);
    long wish = link.want(GLOB);
    heal();
    feed.awaitEvents("subscribed mad.topic.* " + wish, 1);
    feed.awaitEvents("subscribed mad.* ", 2);
    assertThat(publish("mad.topic.x", "-")).isEqualTo(2);
    assertThat(feed.beginning("subscribed mad.topic.x")).hasSize(1);
    // Its end was the end of the connection.
    assertThat(feed.beginning("unsubscribed")).isEmpty();
  }

  @Test
  void itComesBackEveryTime() throws Exception {
    RecordingFeed feed = new RecordingFeed();
    BusLink link = open(feed);
    subscribe(link, feed, NAME);
    for (int times = 1; times <= 3; times++) {
      cut();
      feed.awaitEvents("lost", times);
      heal();
      feed.awaitEvents("subscribed", times + 1);
    }
    soon().until(() -> publish("mad.topic.x", "-") == 1);
    feed.awaitEvents("copy", 1);
  }

  @Test
  void aFeedThatFailsGetsTheNextMessageAllTheSame() throws Exception {
    AtomicBoolean failed = new AtomicBoolean();
    RecordingFeed feed =
        new RecordingFeed() {
          @Override
          public void copy(ChannelPattern subscription, String channel, byte[] body) {
            if (failed.compareAndSet(false, true)) {
              throw new IllegalStateException("on purpose");
            }
            super.copy(subscription, channel, body);
          }
        };
    BusLink link = open(feed);
    subscribe(link, feed, NAME);
    publish("mad.topic.x", "1");
    publish("mad.topic.x", "2");
    feed.awaitEvents("copy", 1);
    assertThat(feed.copies()).containsExactly("copy mad.topic.x mad.topic.x 2");
  }

  @Test
  void itDoesNotOpenWhileTheBusIsAwayAndNothingGoesOnThen() throws Exception {
    cut();
    RecordingFeed feed = new RecordingFeed();
    BusLink link = link();
    assertThatThrownBy(() -> open(link, feed)).isInstanceOf(BusUnavailableException.class);
    assertThat(link.isUsable()).isFalse();
    heal();
    BusLink other = open(new RecordingFeed());
    assertThat(send(other, TOPIC, "-")).isEqualTo(new Publication.Accepted(0));
    assertThat(link.isUsable()).isFalse();
    assertThat(feed.events()).isEmpty();
  }

  @Test
  void afterItsCloseNothingComesAndNothingIsSent() throws Exception {
    RecordingFeed feed = new RecordingFeed();
    BusLink link = open(feed);
    subscribe(link, feed, NAME);
    link.close();
    List<String> events = feed.events();
    soon().until(() -> publish("mad.topic.x", "1") == 0);
    assertThat(link.isUsable()).isFalse();
    assertThat(send(link, TOPIC, "-")).isInstanceOf(Publication.NotWritten.class);
    link.close();
    assertThat(feed.events()).isEqualTo(events);
  }

  @Test
  void theFeedItselfMayCloseIt() throws Exception {
    CompletableFuture<BusLink> mine = new CompletableFuture<>();
    RecordingFeed feed =
        new RecordingFeed() {
          @Override
          public void copy(ChannelPattern subscription, String channel, byte[] body) {
            mine.join().close();
            super.copy(subscription, channel, body);
          }
        };
    BusLink link = open(feed);
    mine.complete(link);
    subscribe(link, feed, NAME);
    publish("mad.topic.x", "1");
    feed.awaitEvents("copy", 1);
    soon().until(() -> publish("mad.topic.x", "2") == 0);
    assertThat(link.isUsable()).isFalse();
  }
}
