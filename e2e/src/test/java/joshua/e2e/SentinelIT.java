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
import joshua.kernel.Pause;
import joshua.testing.ModelDialect;
import joshua.testing.RawListener;
import joshua.testing.RawRedis;
import joshua.testing.ScriptedModelServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The whole group on a Redis that Sentinels watch, by its URL alone: the master dies in
 * mid-conversation and a replica takes its place, which everybody finds by themselves.
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

  /** Longer than the 8 s in which every line's pings notice that nobody answers. */
  private static final Duration HUNG = Duration.ofSeconds(10);

  private final Stage stage = new Stage();
  private final CountDownLatch gone = new CountDownLatch(1);
  private final CountDownLatch back = new CountDownLatch(1);

  @AfterEach
  void close() {
    gone.countDown();
    back.countDown();
    stage.close();
  }

  private static List<String> settings(SentinelGroup redis) {
    return List.of(
        "JOSHUA_REDIS_URL=" + redis.url(),
        "JOSHUA_REDIS_PASSWORD_FILE=" + redis.passwordFile(),
        "JOSHUA_GRACE_QUEUE_LIMIT=2000");
  }

  private List<String> model() throws IOException {
    ScriptedModelServer models =
        stage.add(
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
    SentinelGroup redis = SentinelGroup.on(stage, SentinelGroup.Login.byPassword());
    List<String> settings = new ArrayList<>(settings(redis));
    settings.addAll(model());
    Group group = stage.up(settings.toArray(String[]::new));
    Requester ann = Requester.on(group, "ann");
    TaskReader reader = new TaskReader(group.client("fiedler"));
    String task = ann.ask(reader);
    await().until(() -> text(reader, task).equals(BEFORE));
    Conversation conversation = stage.add(new Conversation(group, 4, 1_000));
    Pause.system().pause(Outage.UNDISTURBED);

    redis.killFirstHost();
    Instant moment = Instant.now();
    gone.countDown();
    int second = redis.awaitPromotion();
    Duration promoted = Duration.between(moment, Instant.now());
    RawListener pulse = stage.add(RawListener.on(redis.raw(second), "mad.system.heartbeat"));
    Account account =
        Outage.seeThrough("failed over by Sentinels", conversation, moment, BACK_WITHIN);

    assertThat(account.gaps()).containsKey("reconnect");
    assertThat(group.get("/readyz").statusCode()).isEqualTo(200);
    taskEndsWhole(ann, reader, task);
    WsClient rogers = group.client("rogers");
    Duration unseen = spanNotSeen(rogers, moment);
    System.out.printf(
        "  Sentinels  %7d ms until they name another master%n"
            + "  Rogers     %7d ms that he says he has not seen%n",
        promoted.toMillis(), unseen.toMillis());
    await().atMost(BACK_WITHIN).until(() -> senders(pulse).containsAll(MADS));
    await().atMost(BACK_WITHIN).until(() -> healthySince(rogers, moment).containsAll(MADS));
    // What was lost on the way is told of or was accepted by nobody: no ledger is short.
    assertThat(shortLedgers(rogers)).isZero();
  }

  /** With the ACL of {@code init}, and the two lines more that docs/operating/secrets.md has. */
  @Test
  void eachMadFindsTheNewMasterAsAUserOfItsOwn() throws IOException {
    Installation installation = Installation.on(stage);
    SentinelGroup redis =
        SentinelGroup.on(stage, SentinelGroup.Login.byUsers(withSentinels(installation), INTERNAL));
    List<Loner> mads =
        Stream.of("rogers", "fiedler", "grace")
            .map(mad ->
                Loner.start(
                    stage,
                    mad,
                    List.of(
                        "JOSHUA_REDIS_URL=" + redis.urlOf(mad),
                        "JOSHUA_REDIS_PASSWORD_FILE="
                            + installation.secret("redis-" + mad + ".password"))))
            .toList();
    WsClient ann = mads.getLast().client(stage);
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

  private static boolean isReady(Loner mad) {
    return ContainerGroup.status(mad.port(), "/readyz") == 200;
  }

  private Path withSentinels(Installation installation) throws IOException {
    String lines =
        Files.readAllLines(Built.HOME.resolve("docs/operating/secrets.md")).stream()
            .filter(line -> line.matches("user (replica|sentinel) .*"))
            .map(line -> line.replaceFirst(">[A-Z-]+", ">" + INTERNAL) + "\n")
            .collect(Collectors.joining());
    String users = Files.readString(installation.home().resolve("configs/redis/users.acl"));
    return stage.file("users-and-sentinels.acl", users + lines);
  }

  /** It comes up as a master, until the Sentinels tell it otherwise. */
  @Test
  void nobodyGoesBackToTheFirstMasterWhenItComesBack() throws Exception {
    SentinelGroup redis = SentinelGroup.on(stage, SentinelGroup.Login.byPassword());
    Group group = stage.up(settings(redis).toArray(String[]::new));
    redis.killFirstHost();
    redis.awaitPromotion();
    await().atMost(BACK_WITHIN).until(() -> group.get("/readyz").statusCode() == 200);
    Conversation conversation = stage.add(new Conversation(group, 4, 400));

    redis.startFirstServerAgain();
    becomesAReplica(redis);
    Account account =
        Outage.seeThrough("back as a replica", conversation, Instant.now(), BACK_WITHIN);
    assertThat(account.outcomes(Talker.Outcome.ACCEPTED)).isEqualTo(account.sent());
    assertThat(account.gaps()).doesNotContainKey("reconnect");
  }

  /** Who had not noticed by then would stay there for the ten seconds that Sentinels allow it. */
  @Test
  void nobodyStaysOnAMasterThatHung() throws Exception {
    SentinelGroup redis = SentinelGroup.on(stage, SentinelGroup.Login.byPassword());
    Group group = stage.up(settings(redis).toArray(String[]::new));
    Conversation conversation = stage.add(new Conversation(group, 4, 400));
    Pause.system().pause(Outage.UNDISTURBED);

    redis.signalFirstServer("STOP");
    Pause.system().pause(HUNG);
    redis.awaitPromotion();
    redis.signalFirstServer("CONT");
    Instant moment = Instant.now();
    becomesAReplica(redis);
    Account account =
        Outage.seeThrough(
            "hung for " + HUNG.toSeconds() + " s and replaced", conversation, moment, BACK_WITHIN);
    assertThat(account.gaps()).containsKey("reconnect");
  }

  /** Waits until the first server is a replica; nobody follows anything there until then. */
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

  private void taskEndsWhole(Requester ann, TaskReader reader, String task) {
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

  private static JsonNode query(WsClient rogers, String name) {
    return rogers.call("rogers_query", "{'name':'%s','arguments':{}}".formatted(name)).path("rows");
  }

  /** How long the span is that holds {@code moment}. */
  private static Duration spanNotSeen(WsClient rogers, Instant moment) {
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
        .map(heard -> WsClient.parse(heard.body()).path("sender_id").asText())
        .collect(Collectors.toSet());
  }

  private static List<String> healthySince(WsClient rogers, Instant moment) {
    return rogers
        .call("rogers_get_connections", "{'status':'HEALTHY'}")
        .path("connections")
        .valueStream()
        .filter(row -> time(row, "last_heartbeat").isAfter(moment))
        .map(row -> row.path("mad_id").asText())
        .toList();
  }

  /** What Grace, by her ledgers, should have received and did not. */
  private static long shortLedgers(WsClient rogers) {
    return query(rogers, "losses")
        .valueStream()
        .filter(row -> row.path("hop").asText().equals("bus>grace"))
        .mapToLong(row -> row.path("lost").asLong())
        .sum();
  }
}
