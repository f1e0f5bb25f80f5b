package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import joshua.testing.HandWritten;
import org.junit.jupiter.api.Test;

class ConnectionManagerTest {
  private static HandWritten beat(String name) {
    return HandWritten.on("mad.system.heartbeat").from(name).payload("{\"status\":\"HEALTHY\"}");
  }

  @Test
  void aStateChangesWhenItsTimeComesAlthoughNobodyAsks() throws Exception {
    try (Outlook outlook = new Outlook()) {
      outlook.registry().start();
      outlook.publish(beat("bob"));
      awaitStates(outlook, "HEALTHY");
      outlook.advance(Duration.ofSeconds(30));
      outlook.publish(beat("eve"));
      awaitStates(outlook, "HEALTHY", "HEALTHY");
      outlook.advance(Duration.ofMillis(1));
      awaitStates(outlook, "HEALTHY", "HEALTHY", "STALE");
      outlook.advance(Duration.ofSeconds(90));
      awaitStates(outlook, "HEALTHY", "HEALTHY", "STALE", "DISCONNECTED", "STALE");
      await()
          .until(() ->
              outlook.rows("select mad_id, status, why from connections order by 1").size() == 2);
      outlook.registry().close();
      assertThat(outlook.rows("select mad_id, status, why from connections order by 1"))
          .containsExactly(
              "bob DISCONNECTED disconnected: silent for more than 120 s, last heard at"
                  + " 2026-11-18T11:00:00.000Z",
              "eve STALE stale: silent for 90 s, expected a heartbeat");
    }
  }

  private static void awaitStates(Outlook outlook, String... states) {
    await()
        .untilAsserted(() ->
            assertThat(List.copyOf(outlook.told))
                .extracting(change -> change.after().name())
                .containsExactlyInAnyOrder(states));
  }

  @Test
  void aHeartbeatTooManyBetweenTwoLooksCountsAsAnyMessage() throws Exception {
    try (Outlook outlook = new Outlook()) {
      for (int i = 0; i < ConnectionManager.NOTICES; i++) {
        outlook.publish(beat("bob"));
      }
      outlook.publish(beat("eve"));
      outlook.look();
      assertThat(outlook.row("bob").status()).isEqualTo(ConnectionState.HEALTHY);
      assertThat(outlook.row("eve").status()).isEqualTo(ConnectionState.CONNECTED);
    }
  }

  @Test
  void whoIsHeardIsListedWithoutAnyHeartbeatAndMalformedMessagesAreNobody() throws Exception {
    try (Outlook outlook = new Outlook()) {
      outlook.publish(HandWritten.on("mad.topic.x").from("third-party"));
      outlook.publish("mad.topic.x", "garbage");
      outlook.look();
      assertThat(outlook.registry().connections())
          .extracting(Attendance::madId, Attendance::status)
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple("third-party", ConnectionState.CONNECTED));
    }
  }

  @Test
  void anInstanceThatDiedIsNotKeptAliveByTheBeatsOfAnother() throws Exception {
    try (Outlook outlook = new Outlook()) {
      outlook.publish(beat("bob").payload("{\"status\":\"HEALTHY\",\"instance\":\"dead\"}"));
      for (int i = 0; i < 7; i++) {
        outlook.advance(Duration.ofSeconds(5));
        outlook.publish(beat("bob").payload("{\"status\":\"HEALTHY\",\"instance\":\"alive\"}"));
        outlook.look();
      }
      assertThat(outlook.row("bob").instances())
          .extracting(Life::instance, Life::state)
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple("dead", ConnectionState.STALE),
              org.assertj.core.groups.Tuple.tuple("alive", ConnectionState.HEALTHY));
    }
  }

  @Test
  void whoWasThereBeforeARestartIsThereAgainAndHasItsTime() throws Exception {
    try (Outlook outlook = new Outlook()) {
      outlook.publish(
          beat("bob")
              .payload(
                  "{\"status\":\"HEALTHY\",\"instance\":\"b1\",\"interval_s\":10,\"version\":\"7\"}"));
      outlook.look();
      outlook.sleep(Duration.ofMinutes(20));
      outlook.restart();
      outlook.advance(Duration.ofSeconds(30));
      outlook.look();
      Attendance back = outlook.row("bob");
      assertThat(back.status()).isEqualTo(ConnectionState.HEALTHY);
      assertThat(back.connectedAt()).isEqualTo(Outlook.BEGIN);
      assertThat(back.why())
          .isEqualTo(
              "healthy: not heard since 2026-11-18T11:00:00.000Z, but Rogers counts silence only"
                  + " since 2026-11-18T11:20:00.000Z");
      outlook.advance(Duration.ofMillis(100));
      outlook.look();
      assertThat(outlook.row("bob").why())
          .isEqualTo(
              "stale: silent for 30 s since Rogers is back, expected a heartbeat every 10 s");
      assertThat(outlook.row("bob").json().path("version").asText()).isEqualTo("7");
    }
  }

  @Test
  void aHeartbeatBusyUntilTheBeginningOfTimeKeepsNobodyFromBeingKept() throws Exception {
    try (Outlook outlook = new Outlook()) {
      outlook.publish(beat("bob"));
      outlook.publish(
          beat("eve")
              .payload("{\"status\":\"HEALTHY\",\"busy_until\":\"-1000000000-01-01T00:00:00Z\"}"));
      outlook.look();
      outlook.registry().keep();
      assertThat(outlook.rows("select mad_id, status, busy_until from connections order by 1"))
          .containsExactly("bob HEALTHY null", "eve HEALTHY null");
    }
  }

  @Test
  void aRowThatCannotBeWrittenIsLeftOutAloneAndCounted() throws Exception {
    try (Outlook outlook = new Outlook()) {
      outlook.change(
          """
          create trigger no_eve before insert on connections when new.mad_id = 'eve'
          begin select raise(abort, 'no eve here'); end
          """);
      for (String name : List.of("ann", "bob", "eve", "gus", "joe")) {
        outlook.publish(beat(name));
      }
      outlook.look();
      outlook.registry().keep();
      assertThat(outlook.rows("select mad_id from connections order by 1"))
          .containsExactly("ann", "bob", "gus", "joe");
      assertThat(outlook.rows("select mad_id from connection_events order by event_id"))
          .containsExactlyInAnyOrder("ann", "bob", "eve", "gus", "joe");
      assertThat(outlook.meters.get("joshua.rogers.presence.refused").counter().count())
          .isEqualTo(1);
    }
  }

  @Test
  void whoWasThereBeforeALongSleepIsThereAfterItAndHasItsTime() throws Exception {
    try (Outlook outlook = new Outlook()) {
      outlook.publish(beat("bob"));
      outlook.look();
      outlook.sleep(Duration.ofHours(8));
      outlook.look();
      assertThat(outlook.row("bob").status()).isEqualTo(ConnectionState.HEALTHY);
      outlook.advance(Duration.ofSeconds(30));
      outlook.look();
      assertThat(outlook.row("bob").status()).isEqualTo(ConnectionState.HEALTHY);
      outlook.advance(Duration.ofMillis(100));
      outlook.look();
      assertThat(outlook.row("bob").why())
          .isEqualTo("stale: silent for 30 s since Rogers is back, expected a heartbeat");
    }
  }

  @Test
  void fiveSecondsWithoutALookAreNoSleep() throws Exception {
    try (Outlook outlook = new Outlook()) {
      outlook.publish(beat("bob"));
      outlook.look();
      for (int i = 0; i < 6; i++) {
        outlook.sleep(Duration.ofSeconds(5));
        outlook.look();
      }
      outlook.sleep(Duration.ofMillis(1));
      outlook.look();
      assertThat(outlook.row("bob").status()).isEqualTo(ConnectionState.STALE);
    }
  }

  @Test
  void aClockThatIsSetDeclaresNobodyGoneAndKeepsNobodyThere() throws Exception {
    try (Outlook outlook = new Outlook()) {
      outlook.publish(beat("bob"));
      outlook.look();
      outlook.time.put(Duration.ofHours(1));
      outlook.look();
      assertThat(outlook.row("bob").status()).isEqualTo(ConnectionState.HEALTHY);
      outlook.publish(beat("bob"));
      outlook.look();
      outlook.time.put(Duration.ofHours(-1));
      outlook.look();
      assertThat(outlook.row("bob").status()).isEqualTo(ConnectionState.HEALTHY);
      outlook.advance(Duration.ofSeconds(31));
      outlook.look();
      assertThat(outlook.row("bob").status())
          .as("heard last at a time that is still to come")
          .isEqualTo(ConnectionState.STALE);
    }
  }

  @Test
  void whoIsGoneForLongerThanTheSettingIsForgottenAlsoAfterARestart() throws Exception {
    try (Outlook outlook = new Outlook()) {
      for (String name : List.of("bob", "eve")) {
        outlook.publish(HandWritten.on("mad.topic.x").from(name));
      }
      outlook.look();
      outlook.advance(Duration.ofSeconds(121));
      outlook.look();
      outlook.restart();
      outlook.sleep(Thresholds.CONTRACT.forgetAfter());
      outlook.look();
      outlook.registry().keep();
      assertThat(outlook.rows("select mad_id from connections order by 1"))
          .containsExactly("bob", "eve");

      outlook.publish(HandWritten.on("mad.topic.x").from("eve"));
      outlook.look();
      outlook.sleep(Duration.ofSeconds(1));
      outlook.look();
      outlook.look();
      outlook.registry().keep();
      assertThat(outlook.rows("select mad_id, status from connections"))
          .containsExactly("eve CONNECTED");
      assertThat(outlook.rows("select why from connection_events where mad_id = 'bob'"))
          .endsWith("forgotten: gone for more than 168 h");
    }
  }

  @Test
  void whatWasNeverStartedCloses() throws Exception {
    try (Outlook outlook = new Outlook()) {
      outlook.registry().close();
      outlook.watching().close();
      assertThat(outlook.rows("select * from connections")).isEmpty();
    }
  }
}
