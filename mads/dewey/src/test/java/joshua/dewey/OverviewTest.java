package joshua.dewey;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.UUID;
import joshua.dewey.wake.WakeStore;
import org.junit.jupiter.api.Test;

class OverviewTest extends DeweyFixture {
  private static final Instant LONG_AGO = Instant.EPOCH;
  private static final Instant NOT_YET = Instant.parse("9999-01-01T00:00:00Z");

  private final PrometheusRegistry metrics = new PrometheusRegistry();
  private final Overview overview = new Overview(metrics);

  private void mail(String recipient, Instant runnerAt) {
    String sql =
        "insert into mail (recipient, position, message_id, sender_id) values (?, 1, ?, 'cid')";
    write(tx -> {
      WakeStore.register(tx, recipient, null, null, runnerAt);
      tx.update(sql, recipient, UUID.randomUUID());
      WakeStore.tick(tx, START, new ArrayList<>());
    });
  }

  private Optional<String> look() {
    return database.read(overview::look);
  }

  @Test
  void wakesThatNobodyRunsAreSaidAndMailIsCounted() {
    mail("ann", NOT_YET);
    assertThat(look()).isEmpty();
    mail("bob", LONG_AGO);
    assertThat(look()).hasValue("Wakes are due, and nobody runs joshua wake NAME: bob.");
    assertThat(overview.idleWakes).isPresent();
    GaugeSnapshot mail = (GaugeSnapshot) metrics.scrape("joshua_mail_waiting"::equals).get(0);
    assertThat(mail.getDataPoints().getFirst().getValue()).isEqualTo(2);

    write(tx -> tx.update("update waker set paused_reason = 'three equal failures'"));
    assertThat(look()).isEmpty();
  }
}
