package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.kernel.TimedWait;
import joshua.testing.ModelDialect;
import joshua.testing.RawListener;
import joshua.testing.RawRedis;
import joshua.testing.ScriptedModelServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the whole group on a Redis that Sentinels watch, by its URL alone: the master dies in the
 * middle of a conversation and a replica takes its place, which every client finds by itself.
 */
final class SentinelIT {
  private static final ModelDialect OPENAI = ModelDialect.OPENAI;
  private static final String BEFORE = "Written on the first master, ";
  private static final String MEANWHILE = "written while there was none, ";
  private static final String AFTER = "written on the second.";
  private static final String INTERNAL = "between-the-servers-of-this-test";
  private static final Set<String> MADS = Set.of("grace", "fiedler", "rogers");

  /**
   * The Sentinels need a second to miss the master and may need a second vote; attempts to
   * reconnect are by then some seconds apart.
   */
  private static final Duration BACK_WITHIN = Duration.ofSeconds(60);

  /** Longer than the 8 s in which each connection's pings notice a missing answer. */
  private static final Duration HUNG = Duration.ofSeconds(10);

  private final TestEnvironment environment = new TestEnvironment();
  private final CountDownLatch gone = new CountDownLatch(1);
  private final CountDownLatch back = new CountDownLatch(1);

  @AfterEach
  void close() {
    gone.countDown();
    back.countDown();
    environment.close();
  }

  private static List<String> settings(SentinelGroup redis) {
    return List.of(
        "JOSHUA_REDIS_URL=" + redis.url(),
        "JOSHUA_REDIS_PASSWORD_FILE=" + redis.passwordFile(),
        "JOSHUA_GRACE_QUEUE_LIMIT=2000");
  }

  private List<String> model() throws IOException {
    ScriptedModelServer models =
        environment.add(
            new ScriptedModelServer()
                .otherwise(exchange -> {
                  exchange.open(OPENAI.contentType);
                  exchange.chunk(OPENAI.begin());
                  exchange.chunk(OPENAI.token(BEFORE));
                  gone.await();
                  exchange.chunk(OPENAI.token(MEANWHILE));
                  back.await();
                  exchange.chunk(OPENAI.token(AFTER));
                  exchange.chunk(OPENAI.end("stop"));
                  exchange.end();
                }));
    return ModelServer.settings("gpt-test", models.url(OPENAI.base).toString());
  }

  @Test
  void everythingGoesOnWhenTheMastersHostDies() throws Exception {
    SentinelGroup redis = SentinelGroup.on(environment, SentinelGroup.Login.byPassword());
    List<String> settings = new ArrayList<>(settings(redis));
    settings.addAll(model());
    GroupUnderTest groupUnderTest = environment.up(settings.toArray(String[]::new));
    TaskRequester ann = TaskRequester.on(groupUnderTest, "ann");
    TaskReader reader = new TaskReader(groupUnderTest.client("fiedler"));
    String task = ann.ask(reader);
    await().until(() -> text(reader, task).equals(BEFORE));
    SteadyConversation steadyConversation =
        environment.add(new SteadyConversation(groupUnderTest, 4, 1_000));
    TimedWait.system().pause(OutageConversation.UNDISTURBED);

    redis.killFirstHost();
    Instant moment = Instant.now();
    gone.countDown();
    int second = redis.awaitPromotion();
    Duration promoted = Duration.between(moment, Instant.now());
    RawListener pulse = environment.add(RawListener.on(redis.raw(second), "mad.system.heartbeat"));
    DeliveryAccount deliveryAccount =
        OutageConversation.seeThrough(
            "failed over by Sentinels", steadyConversation, moment, BACK_WITHIN);

    assertThat(deliveryAccount.gaps()).containsKey("reconnect");
    assertThat(groupUnderTest.get("/readyz").statusCode()).isEqualTo(200);
    taskEndsWhole(ann, reader, task);
    FrameSocketClient rogers = groupUnderTest.client("rogers");
    Duration unseen = spanNotSeen(rogers, moment);
    System.out.printf(
        "  Sentinels  %7d ms until they name another master%n"
            + "  Rogers     %7d ms that he says he has not seen%n",
        promoted.toMillis(), unseen.toMillis());
    await().atMost(BACK_WITHIN).until(() -> senders(pulse).containsAll(MADS));
    await().atMost(BACK_WITHIN).until(() -> healthySince(rogers, moment).containsAll(MADS));
    // What was lost on the way was reported, or never accepted: no ledger is short.
    assertThat(shortLedgers(rogers)).isZero();
  }

  /** With the ACL of {@code init}, and the two lines more that docs/operating/secrets.md has. */
  @Test
  void eachMadFindsTheNewMasterAsAUserOfItsOwn() throws IOException {
    InitializedInstallation installation = InitializedInstallation.on(environment);
    SentinelGroup redis =
        SentinelGroup.on(
            environment, SentinelGroup.Login.byUsers(withSentinels(installation), INTERNAL));
    List<SingleMadProcess> mads =
        Stream.of("rogers", "fiedler", "grace")
            .map(mad ->
                SingleMadProcess.start(
                    environment,
                    mad,
                    List.of(
                        "JOSHUA_REDIS_URL=" + redis.urlOf(mad),
                        "JOSHUA_REDIS_PASSWORD_FILE="
                            + installation.secret("redis-" + mad + ".password"))))
            .toList();
    FrameSocketClient ann = mads.getLast().client(environment);
    ann.subscribe("ann", "mad.direct.ann");

    redis.killFirstHost();
    int second = redis.awaitPromotion();

    await().atMost(BACK_WITHIN).until(() -> mads.stream().allMatch(SentinelIT::isReady));
    ann.send("ann", "mad.direct.fiedler", "{'prompt':'tasks'}");
    List<String> statuses = new ArrayList<>();
    await()
        .atMost(BACK_WITHIN)
        .until(() -> {
          ann.poll("ann")
              .path("messages")
              .forEach(message -> statuses.add(message.at("/payload/status").asText()));
          return statuses.contains("COMPLETED");
        });
    try (RawRedis guest = installation.at(second, "guest")) {
      assertThat(guest.call("PUBLISH", "mad.system.ledger", "x")).startsWith("-NOPERM");
    }
  }

  private static boolean isReady(SingleMadProcess mad) {
    return ContainerGroup.status(mad.port(), "/readyz") == 200;
  }

  private Path withSentinels(InitializedInstallation installation) throws IOException {
    String lines =
        Files.readAllLines(BuiltProgram.HOME.resolve("docs/operating/secrets.md")).stream()
            .filter(line -> line.matches("user (replica|sentinel) .*"))
            .map(line -> line.replaceFirst(">[A-Z-]+", ">" + INTERNAL) + "\n")
            .collect(Collectors.joining());
    String users = Files.readString(installation.home().resolve("configs/redis/users.acl"));
    return environment.file("users-and-sentinels.acl", users + lines);
  }

  /** It comes up as a master, until the Sentinels reconfigure it. */
  @Test
  void nobodyGoesBackToTheFirstMasterWhenItComesBack() throws Exception {
    SentinelGroup redis = SentinelGroup.on(environment, SentinelGroup.Login.byPassword());
    GroupUnderTest groupUnderTest = environment.up(settings(redis).toArray(String[]::new));
    redis.killFirstHost();
    redis.awaitPromotion();
    await().atMost(BACK_WITHIN).until(() -> groupUnderTest.get("/readyz").statusCode() == 200);
    SteadyConversation steadyConversation =
        environment.add(new SteadyConversation(groupUnderTest, 4, 400));

    redis.startFirstServerAgain();
    becomesAReplica(redis);
    DeliveryAccount deliveryAccount =
        OutageConversation.seeThrough(
            "back as a replica", steadyConversation, Instant.now(), BACK_WITHIN);
    assertThat(deliveryAccount.outcomes(TopicPublisher.Outcome.ACCEPTED))
        .isEqualTo(deliveryAccount.sent());
    assertThat(deliveryAccount.gaps()).doesNotContainKey("reconnect");
  }

  /**
   * A client that hasn't noticed by then would stay there for the ten seconds that Sentinels allow
   * it.
   */
  @Test
  void nobodyStaysOnAMasterThatHung() throws Exception {
    SentinelGroup redis = SentinelGroup.on(environment, SentinelGroup.Login.byPassword());
    GroupUnderTest groupUnderTest = environment.up(settings(redis).toArray(String[]::new));
    SteadyConversation steadyConversation =
        environment.add(new SteadyConversation(groupUnderTest, 4, 400));
    TimedWait.system().pause(OutageConversation.UNDISTURBED);

    redis.signalFirstServer("STOP");
    TimedWait.system().pause(HUNG);
    redis.awaitPromotion();
    redis.signalFirstServer("CONT");
    Instant moment = Instant.now();
    becomesAReplica(redis);
    DeliveryAccount deliveryAccount =
        OutageConversation.seeThrough(
            "hung for " + HUNG.toSeconds() + " s and replaced",
            steadyConversation,
            moment,
            BACK_WITHIN);
    assertThat(deliveryAccount.gaps()).containsKey("reconnect");
  }

  /** Waits until the first server is a replica; until then no client follows anything there. */
  private static void becomesAReplica(SentinelGroup redis) {
    await()
        .atMost(BACK_WITHIN)
        .ignoreException(UncheckedIOException.class)
        .until(() -> {
          try (RawRedis raw = redis.rawFirst()) {
            assertThat(raw.patterns()).isZero();
            return raw.call("ROLE").startsWith("[slave");
          }
        });
  }

  private static String text(TaskReader reader, String task) {
    return reader.frames(task).stream()
        .map(frame -> frame.path("token").asText())
        .collect(Collectors.joining());
  }

  private void taskEndsWhole(TaskRequester ann, TaskReader reader, String task) {
    await().atMost(BACK_WITHIN).until(ann::hearsItself);
    assertThat(text(reader, task)).isEqualTo(BEFORE + MEANWHILE);
    back.countDown();
    JsonNode ended =
        await()
            .atMost(BACK_WITHIN)
            .until(
                () -> reader.status(task),
                each -> TaskReader.isFinal(each.path("status").asText()));
    assertThat(ended.path("status").asText()).isEqualTo("COMPLETED");
    assertThat(ended.at("/result_payload/text").asText()).isEqualTo(BEFORE + MEANWHILE + AFTER);
    assertThat(text(reader, task)).isEqualTo(BEFORE + MEANWHILE + AFTER);
    List<JsonNode> told = await().until(ann::told, each -> !each.isEmpty());
    assertThat(told).hasSize(1);
    assertThat(told.getFirst().path("result")).isEqualTo(ended.path("result_payload"));
  }

  private static JsonNode query(FrameSocketClient rogers, String name) {
    return rogers.call("rogers_query", "{'name':'%s','arguments':{}}".formatted(name)).path("rows");
  }

  /** The length of the span that contains {@code moment}. */
  private static Duration spanNotSeen(FrameSocketClient rogers, Instant moment) {
    JsonNode span =
        await()
            .atMost(BACK_WITHIN)
            .until(
                () ->
                    query(rogers, "not_seen")
                        .valueStream()
                        .filter(row -> row.path("until").isTextual())
                        .filter(row -> !time(row, "since").isAfter(moment))
                        .filter(row -> time(row, "until").isAfter(moment))
                        .findFirst(),
                Optional::isPresent)
            .orElseThrow();
    return Duration.between(time(span, "since"), time(span, "until"));
  }

  private static Instant time(JsonNode row, String member) {
    return Instant.parse(row.path(member).asText());
  }

  private static Set<String> senders(RawListener listener) {
    return listener.heard().stream()
        .map(heard -> FrameSocketClient.parse(heard.body()).path("sender_id").asText())
        .collect(Collectors.toSet());
  }

  private static List<String> healthySince(FrameSocketClient rogers, Instant moment) {
    return rogers
        .call("rogers_get_connections", "{'status':'HEALTHY'}")
        .path("connections")
        .valueStream()
        .filter(row -> time(row, "last_heartbeat").isAfter(moment))
        .map(row -> row.path("mad_id").asText())
        .toList();
  }

  /** What Grace, according to its ledgers, should have received and didn't. */
  private static long shortLedgers(FrameSocketClient rogers) {
    return query(rogers, "losses")
        .valueStream()
        .filter(row -> row.path("hop").asText().equals("bus>grace"))
        .mapToLong(row -> row.path("lost").asLong())
        .sum();
  }
}
