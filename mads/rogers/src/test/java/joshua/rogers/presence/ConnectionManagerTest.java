package joshua.rogers.presence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import joshua.rogers.RegistryFixture;
import joshua.testing.RawEnvelope;
import org.junit.jupiter.api.Test;

class ConnectionManagerTest {
  private static RawEnvelope beat(String name) {
    return RawEnvelope.on("mad.system.heartbeat").from(name).payload("{\"status\":\"HEALTHY\"}");
  }

  @Test
  void aStateChangesWhenItsTimeComesAlthoughNobodyAsks() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture()) {
      fixture.registry().start();
      fixture.publish(beat("bob"));
      awaitStates(fixture, "HEALTHY");
      fixture.advance(Duration.ofSeconds(30));
      fixture.publish(beat("eve"));
      awaitStates(fixture, "HEALTHY", "HEALTHY");
      fixture.advance(Duration.ofMillis(1));
      awaitStates(fixture, "HEALTHY", "HEALTHY", "STALE");
      fixture.advance(Duration.ofSeconds(90));
      awaitStates(fixture, "HEALTHY", "HEALTHY", "STALE", "DISCONNECTED", "STALE");
      await()
          .until(() ->
              fixture.rows("select mad_id, status, why from connections order by 1").size() == 2);
      fixture.registry().close();
      assertThat(fixture.rows("select mad_id, status, why from connections order by 1"))
          .containsExactly(
              "bob DISCONNECTED disconnected: silent for more than 120 s, last heard at"
                  + " 2026-11-18T11:00:00.000Z",
              "eve STALE stale: silent for 90 s, expected a heartbeat");
    }
  }

  private static void awaitStates(RegistryFixture fixture, String... states) {
    await()
        .untilAsserted(() ->
            assertThat(List.copyOf(fixture.told))
                .extracting(change -> change.after().name())
                .containsExactlyInAnyOrder(states));
  }

  @Test
  void aHeartbeatTooManyBetweenTwoLooksCountsAsAnyMessage() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture()) {
      for (int i = 0; i < ConnectionManager.NOTICES; i++) {
        fixture.publish(beat("bob"));
      }
      fixture.publish(beat("eve"));
      fixture.look();
      assertThat(fixture.row("bob").status()).isEqualTo(ConnectionState.HEALTHY);
      assertThat(fixture.row("eve").status()).isEqualTo(ConnectionState.CONNECTED);
    }
  }

  @Test
  void whoIsHeardIsListedWithoutAnyHeartbeatAndMalformedMessagesAreNobody() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture()) {
      fixture.publish(RawEnvelope.on("mad.topic.x").from("third-party"));
      fixture.publish("mad.topic.x", "garbage");
      fixture.look();
      assertThat(fixture.registry().connections())
          .extracting(ParticipantRow::madId, ParticipantRow::status)
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple("third-party", ConnectionState.CONNECTED));
    }
  }

  @Test
  void anInstanceThatDiedIsNotKeptAliveByTheBeatsOfAnother() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture()) {
      fixture.publish(beat("bob").payload("{\"status\":\"HEALTHY\",\"instance\":\"dead\"}"));
      for (int i = 0; i < 7; i++) {
        fixture.advance(Duration.ofSeconds(5));
        fixture.publish(beat("bob").payload("{\"status\":\"HEALTHY\",\"instance\":\"alive\"}"));
        fixture.look();
      }
      assertThat(fixture.row("bob").instances())
          .extracting(InstanceState::instance, InstanceState::state)
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple("dead", ConnectionState.STALE),
              org.assertj.core.groups.Tuple.tuple("alive", ConnectionState.HEALTHY));
    }
  }

  @Test
  void whoWasThereBeforeARestartIsThereAgainAndHasItsTime() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture()) {
      fixture.publish(
          beat("bob")
              .payload(
                  "{\"status\":\"HEALTHY\",\"instance\":\"b1\",\"interval_s\":10,\"version\":\"7\"}"));
      fixture.look();
      fixture.sleep(Duration.ofMinutes(20));
      fixture.restart();
      fixture.advance(Duration.ofSeconds(30));
      fixture.look();
      ParticipantRow back = fixture.row("bob");
      assertThat(back.status()).isEqualTo(ConnectionState.HEALTHY);
      assertThat(back.connectedAt()).isEqualTo(RegistryFixture.BEGIN);
      assertThat(back.why())
          .isEqualTo(
              "healthy: not heard since 2026-11-18T11:00:00.000Z, but Rogers counts silence only"
                  + " since 2026-11-18T11:20:00.000Z");
      fixture.advance(Duration.ofMillis(100));
      fixture.look();
      assertThat(fixture.row("bob").why())
          .isEqualTo(
              "stale: silent for 30 s since Rogers is back, expected a heartbeat every 10 s");
      assertThat(fixture.row("bob").json().path("version").asText()).isEqualTo("7");
    }
  }

  @Test
  void aHeartbeatBusyUntilTheBeginningOfTimeKeepsNobodyFromBeingKept() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture()) {
      fixture.publish(beat("bob"));
      fixture.publish(
          beat("eve")
              .payload("{\"status\":\"HEALTHY\",\"busy_until\":\"-1000000000-01-01T00:00:00Z\"}"));
      fixture.look();
      fixture.registry().keep();
      assertThat(fixture.rows("select mad_id, status, busy_until from connections order by 1"))
          .containsExactly("bob HEALTHY null", "eve HEALTHY null");
    }
  }

  @Test
  void aRowThatCannotBeWrittenIsLeftOutAloneAndCounted() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture()) {
      fixture.change(
          """
          create trigger no_eve before insert on connections when new.mad_id = 'eve'
          begin select raise(abort, 'no eve here'); end
          """);
      for (String name : List.of("ann", "bob", "eve", "gus", "joe")) {
        fixture.publish(beat(name));
      }
      fixture.look();
      fixture.registry().keep();
      assertThat(fixture.rows("select mad_id from connections order by 1"))
          .containsExactly("ann", "bob", "gus", "joe");
      assertThat(fixture.rows("select mad_id from connection_events order by event_id"))
          .containsExactlyInAnyOrder("ann", "bob", "eve", "gus", "joe");
      assertThat(fixture.meters.get("joshua.rogers.presence.refused").counter().count())
          .isEqualTo(1);
    }
  }

  @Test
  void whoWasThereBeforeALongSleepIsThereAfterItAndHasItsTime() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture()) {
      fixture.publish(beat("bob"));
      fixture.look();
      fixture.sleep(Duration.ofHours(8));
      fixture.look();
      assertThat(fixture.row("bob").status()).isEqualTo(ConnectionState.HEALTHY);
      fixture.advance(Duration.ofSeconds(30));
      fixture.look();
      assertThat(fixture.row("bob").status()).isEqualTo(ConnectionState.HEALTHY);
      fixture.advance(Duration.ofMillis(100));
      fixture.look();
      assertThat(fixture.row("bob").why())
          .isEqualTo("stale: silent for 30 s since Rogers is back, expected a heartbeat");
    }
  }

  @Test
  void fiveSecondsWithoutALookAreNoSleep() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture()) {
      fixture.publish(beat("bob"));
      fixture.look();
      for (int i = 0; i < 6; i++) {
        fixture.sleep(Duration.ofSeconds(5));
        fixture.look();
      }
      fixture.sleep(Duration.ofMillis(1));
      fixture.look();
      assertThat(fixture.row("bob").status()).isEqualTo(ConnectionState.STALE);
    }
  }

  @Test
  void aClockThatIsSetDeclaresNobodyGoneAndKeepsNobodyThere() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture()) {
      fixture.publish(beat("bob"));
      fixture.look();
      fixture.time.put(Duration.ofHours(1));
      fixture.look();
      assertThat(fixture.row("bob").status()).isEqualTo(ConnectionState.HEALTHY);
      fixture.publish(beat("bob"));
      fixture.look();
      fixture.time.put(Duration.ofHours(-1));
      fixture.look();
      assertThat(fixture.row("bob").status()).isEqualTo(ConnectionState.HEALTHY);
      fixture.advance(Duration.ofSeconds(31));
      fixture.look();
      assertThat(fixture.row("bob").status())
          .as("heard last at a time that is still to come")
          .isEqualTo(ConnectionState.STALE);
    }
  }

  @Test
  void whoIsGoneForLongerThanTheSettingIsForgottenAlsoAfterARestart() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture()) {
      for (String name : List.of("bob", "eve")) {
        fixture.publish(RawEnvelope.on("mad.topic.x").from(name));
      }
      fixture.look();
      fixture.advance(Duration.ofSeconds(121));
      fixture.look();
      fixture.restart();
      fixture.sleep(PresenceThresholds.CONTRACT.forgetAfter());
      fixture.look();
      fixture.registry().keep();
      assertThat(fixture.rows("select mad_id from connections order by 1"))
          .containsExactly("bob", "eve");

      fixture.publish(RawEnvelope.on("mad.topic.x").from("eve"));
      fixture.look();
      fixture.sleep(Duration.ofSeconds(1));
      fixture.look();
      fixture.look();
      fixture.registry().keep();
      assertThat(fixture.rows("select mad_id, status from connections"))
          .containsExactly("eve CONNECTED");
      assertThat(fixture.rows("select why from connection_events where mad_id = 'bob'"))
          .endsWith("forgotten: gone for more than 168 h");
    }
  }

  @Test
  void whatWasNeverStartedCloses() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture()) {
      fixture.registry().close();
      fixture.watching().close();
      assertThat(fixture.rows("select * from connections")).isEmpty();
    }
  }
}
