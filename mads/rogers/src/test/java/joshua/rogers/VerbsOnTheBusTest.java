package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.Role;
import joshua.rogers.journal.JournalStore;
import joshua.ssh.CommandHost;
import joshua.ssh.ExitStatus;
import joshua.ssh.StateView;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.admins.ScriptedAdmin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rogers' commands and states on a real bus: what was published is what admins see (+JS-07). */
class VerbsOnTheBusTest {
  /** Sequences that a terminal obeys: colours, a C1 sequence, reversed text. */
  private static final String HOSTILE = "\\u001b[31mred \\u009b2J \\u202eback";

  private static final Duration SOON = Duration.ofSeconds(30);

  private static ObserverFixture fixture;
  private static WholeRogers whole;
  private static CommandHost host;
  private static RawRedis raw;

  private final ScriptedAdmin script = ScriptedAdmin.of(host, "ann", Role.ADMIN);

  @BeforeAll
  static void start() throws Exception {
    fixture = ObserverFixture.start();
    whole = new WholeRogers(fixture);
    host =
        new CommandHost(
            Rogers.NAME, whole.rogers().verbs(whole.registry()), _ -> {}, InstantSource.system());
    raw = fixture.redis().raw();
  }

  @AfterAll
  static void stop() {
    raw.close();
    whole.close();
    fixture.close();
  }

  private static JsonNode state(String name) {
    return whole.rogers().states().stream()
        .filter(view -> view.name().equals(name))
        .findFirst()
        .orElseThrow()
        .json()
        .get();
  }

  @Test
  void hostileMessagesAreTracedAndListedHarmlessly() {
    UUID correlation = UUID.randomUUID();
    RawEnvelope message =
        RawEnvelope.on("mad.topic.hostile")
            .from("mallory")
            .withText("correlation_id", correlation.toString())
            .payload("{\"text\":\"%s\"}".formatted(HOSTILE));
    raw.publish("mad.topic.hostile", message.json());
    raw.publish("mad.topic.hostile", "\033[31mred \u009b2J \u202eback");
    ScriptedAdmin person = ScriptedAdmin.atTerminal(host, "ann", Role.ADMIN, 200, 50);
    for (String verb : List.of("trace " + correlation, "dead-letters")) {
      await()
          .atMost(SOON)
          .untilAsserted(() -> {
            assertThat(person.run(verb)).as(verb).isEqualTo(ExitStatus.OK);
            assertThat(person.shown()).as(verb).contains("red").contains("mad.topic.hostile");
          });
      String own = person.shown().replaceAll("\033\\[\\d*m", "");
      assertThat(own.codePoints().filter(c -> c != '\n'))
          .as(verb)
          .noneMatch(c -> Character.getType(c) == Character.CONTROL)
          .noneMatch(c -> Character.getType(c) == Character.FORMAT);
    }
    assertThat(person.run("trace " + correlation)).isEqualTo(ExitStatus.OK);
    assertThat(person.shown()).contains("mallory", "+0.000 s", "\\u009b2J \\u202eback");
  }

  @Test
  void topMeasuresWhatFlowsUntilNobodyLooks() throws Exception {
    CountDownLatch enough = new CountDownLatch(1);
    CompletableFuture<Void> sending =
        CompletableFuture.runAsync(
            () -> send("chatterbox", "mad.topic.gossip", enough), VerbsOnTheBusTest::aside);
    try {
      JsonNode top =
          await()
              .atMost(SOON)
              .until(
                  () -> script.json("top --once --every 1"),
                  measured -> !measured.path("senders").isEmpty());
      assertThat(top.path("at").asText()).endsWith("Z");
      assertThat(top.path("messages_per_s").asDouble()).isPositive();
      assertThat(top.path("channels"))
          .anyMatch(each -> each.path("channel").asText().equals("mad.topic.gossip"));
      assertThat(top.path("senders"))
          .anyMatch(each -> each.path("sender").asText().equals("chatterbox"));

      ScriptedAdmin person = ScriptedAdmin.atTerminal(host, "ann", Role.ADMIN, 80, 24);
      CompletableFuture<ExitStatus> watching =
          CompletableFuture.supplyAsync(
              () -> person.run("top --every 1"), VerbsOnTheBusTest::aside);
      await().atMost(SOON).until(() -> person.shown().split("\033\\[H", -1).length > 2);
      person.leave();
      assertThat(watching.get(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ExitStatus.OK);
      assertThat(person.shown()).contains("messages/s", "chatterbox");

      await()
          .atMost(SOON)
          .untilAsserted(() -> {
            JsonNode traffic = state("traffic");
            assertThat(traffic.path("messages_per_s").asDouble()).isPositive();
            assertThat(traffic.path("messages_this_hour").asLong()).isPositive();
          });
    } finally {
      enough.countDown();
      sending.join();
    }
  }

  private static void aside(Runnable work) {
    Thread.ofVirtual().start(work);
  }

  private static void send(String sender, String channel, CountDownLatch enough) {
    try (RawRedis own = fixture.redis().raw()) {
      do {
        own.publish(channel, RawEnvelope.on(channel).from(sender).json());
      } while (!enough.await(20, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void topEndsWhenItIsInterrupted() throws Exception {
    CompletableFuture<ExitStatus> ended = new CompletableFuture<>();
    Thread thread = Thread.ofVirtual().start(() -> ended.complete(script.run("top --every 60")));
    thread.interrupt();
    assertThat(ended.get(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ExitStatus.INTERRUPTED);
  }

  @Test
  void connectionsAreWhoeverHasSpoken() {
    raw.publish("mad.topic.x", RawEnvelope.on("mad.topic.x").from("carol").json());
    await()
        .atMost(SOON)
        .untilAsserted(() -> {
          assertThat(script.run("connections")).isEqualTo(ExitStatus.OK);
          assertThat(script.lines()).anyMatch(line -> line.startsWith("carol CONNECTED "));
        });
    await().atMost(SOON).until(() -> state("registry").path("connected").asInt() >= 1);
    assertThat(state("registry").path("participants").asInt()).isPositive();
  }

  @Test
  void rogersIsAskedLikeAnyTaskKeeper() throws Exception {
    assertThat(script.run("ask help")).isEqualTo(ExitStatus.OK);
    assertThat(script.shown()).isNotBlank();
    assertThat(script.json("tasks")).isEmpty();
    assertThat(script.json("tasks --kind question")).isNotEmpty();
    ScriptedAdmin viewer = ScriptedAdmin.of(host, "vera", Role.VIEWER);
    assertThat(viewer.run("ask 'who?'")).isEqualTo(ExitStatus.REFUSED);
    assertThat(viewer.told()).contains("operator");
    assertThat(viewer.run("connections")).isEqualTo(ExitStatus.OK);
  }

  @Test
  void aRelayIsKnownWithWhatItTells() {
    ByHand relay = new ByHand(raw, "epoch-1").received("mad.topic.told", 1, 0).accounts(0, 0, 0, 0);
    relay.tell();
    relay.publish("mad.topic.told", 3);
    relay.received("mad.topic.told", 1, 2).tell();
    await()
        .atMost(SOON)
        .untilAsserted(() -> {
          JsonNode known = state("ledgers").path(0);
          assertThat(known.path("relay").asText()).isEqualTo("relay");
          assertThat(known.path("epoch").asText()).isEqualTo("epoch-1");
          assertThat(known.path("subscriptions").asInt()).isEqualTo(1);
          assertThat(known.path("differences").asInt()).isEqualTo(1);
          assertThat(known.path("heard").asText()).endsWith("Z");
          assertThat(known.path("compared_until").asText()).endsWith("Z");
        });
    await()
        .atMost(SOON)
        .untilAsserted(() -> {
          assertThat(script.run("losses")).isEqualTo(ExitStatus.OK);
          assertThat(script.lines()).contains("1 message lost, on 1 occasion.");
        });
  }

  @Test
  void statesSayWhatIsCountedKeptAndCompared() {
    raw.publish("mad.topic.x", RawEnvelope.on("mad.topic.x").from("carol").json());
    await()
        .atMost(SOON)
        .untilAsserted(() -> {
          JsonNode traffic = state("traffic");
          assertThat(traffic.path("messages_since_start").asLong()).isPositive();
          assertThat(traffic.path("seen_until").asText()).endsWith("Z");
          assertThat(traffic.path("missed").asLong()).isZero();
          assertThat(traffic.path("problem").isNull()).isTrue();
          JsonNode journal = state("journal");
          assertThat(journal.path("messages").asLong()).isPositive();
          assertThat(journal.path("bytes").asLong())
              .isGreaterThanOrEqualTo(journal.path("messages").asLong() * JournalStore.OVERHEAD);
          assertThat(journal.path("left_out").asLong()).isZero();
          assertThat(journal.path("newest").asText()).endsWith("Z");
        });
  }

  @Test
  void alarmsThatGoOnAreAState() throws Exception {
    assertThat(state("watching")).isEmpty();
    Instant now = InstantSource.system().instant();
    alarm(now.minusSeconds(60), "carol", 5);
    alarm(now.minusSeconds(11), "bob", 10);
    alarm(now, "bob", 20);
    JsonNode alarms = state("watching");
    assertThat(alarms).hasSize(1);
    assertThat(alarms.path(0).path("subject").asText()).isEqualTo("bob");
    assertThat(alarms.path(0).path("messages").asInt()).isEqualTo(20);
    assertThat(alarms.path(0).path("participants").path(0).asText()).isEqualTo("bob");
  }

  private static void alarm(Instant at, String subject, int messages) throws Exception {
    fixture
        .database()
        .write(connection -> {
          try (PreparedStatement insert =
              connection.prepareStatement(
                  """
                  insert into alarms (at, kind, subject, participants, messages, detail)
                  values (?, 'storm', ?, ?, ?, 'fast')
                  """)) {
            insert.setString(1, EnvelopeCodec.timestamp(at));
            insert.setString(2, subject);
            insert.setString(3, "[\"%s\"]".formatted(subject));
            insert.setInt(4, messages);
            return insert.executeUpdate();
          }
        });
  }

  @Test
  void everyStateHasItsName() {
    assertThat(whole.rogers().states().stream().map(StateView::name))
        .containsExactly("traffic", "registry", "ledgers", "journal", "watching", "imperator");
  }
}
