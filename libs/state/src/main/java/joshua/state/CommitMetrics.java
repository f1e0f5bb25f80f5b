package joshua.state;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/** Metrics of one database's commits: how many, how long, how many writes in each. */
final class CommitMetrics {
  private final Timer duration;
  private final DistributionSummary writes;

  /** A commit, which waits for the disk. */
  @FunctionalInterface
  interface Commit {
    void commit() throws SQLException;
  }

  CommitMetrics(MeterRegistry meters, String database) {
    Tags tags = Tags.of("database", database);
    duration =
        Timer.builder("joshua.state.commit")
            .description("Commits, each of which waits for the disk")
            .tags(tags)
            .register(meters);
    writes =
        DistributionSummary.builder("joshua.state.writes.per.commit")
            .description("Callers' writes that one commit made durable")
            .tags(tags)
            .register(meters);
  }

  /** Commits, and counts the commit if it succeeded. */
  void record(int callers, Commit commit) throws SQLException {
    long begun = System.nanoTime();
    commit.commit();
    duration.record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
    writes.record(callers);
  }
}
