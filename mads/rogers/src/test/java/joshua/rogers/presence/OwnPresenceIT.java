package joshua.rogers.presence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import joshua.rogers.BareSubscriber;
import joshua.rogers.ObserverFixture;
import joshua.rogers.WholeRogers;
import org.junit.jupiter.api.Test;

/** Rogers alone on the bus: it is a participant as well, from its first heartbeat to its leave. */
class OwnPresenceIT {
  private static final String OWN =
      "select status from connection_events where mad_id = 'rogers' order by event_id";

  @Test
  void rogersSeesItsOwnFirstBeatAndRecordsItsOwnLeave() throws Exception {
    try (ObserverFixture fixture = ObserverFixture.start();
        BareSubscriber everything = new BareSubscriber(fixture.redis())) {
      WholeRogers whole = new WholeRogers(fixture);
      await().until(() -> fixture.rows(OWN).contains("HEALTHY"));
      whole.close();
      await("nothing that Rogers sent is missing from its counts")
          .until(() -> everything.count() == whole.counted());
      assertThat(fixture.rows(OWN)).isEqualTo(List.of("HEALTHY", "DISCONNECTED"));
      assertThat(fixture.rows("select why from connections where mad_id = 'rogers'").getFirst())
          .startsWith("disconnected: left at ")
          .endsWith("(stopped)");
    }
  }
}
