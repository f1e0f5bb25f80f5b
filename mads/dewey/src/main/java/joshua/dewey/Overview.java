package joshua.dewey;

import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Optional;
import joshua.state.Transaction;

/** What operators watch, as of the last look, so that nobody who asks waits for the database. */
final class Overview {
  private final Gauge mail;

  /** A sentence about wakes that nobody runs. */
  volatile Optional<String> idleWakes = Optional.empty();

  Overview(PrometheusRegistry metrics) {
    Gauge.Builder gauge = Gauge.builder().name("joshua_mail_waiting");
    mail = gauge.help("Direct messages that wait for somebody.").register(metrics);
  }

  Optional<String> look(Transaction tx) {
    mail.set((double) tx.number("select count(*) from mail where collected_at is null"));
    String names =
        """
        select group_concat(participant, ', ') from wake join waker using (participant)
        where state = 'DUE' and paused_reason is null and runner_at < unixepoch() * 1000 - 60000
        having count(*) > 0
        """;
    idleWakes =
        tx.row(String.class, names)
            .map("Wakes are due, and nobody runs joshua wake NAME: %s."::formatted);
    return idleWakes;
  }
}
