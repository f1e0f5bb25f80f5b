package joshua.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import joshua.testing.RedisServer;

/**
 * The benchmark of durable tasks a second, one a call, by 64 callers: each is on disk before its
 * answer, run, streamed and notified. In turn with BullMQ on a Redis that writes to disk as often
 * ({@code appendfsync always}). Measured from the first call to the last end.
 */
final class TaskRates {
  private static final int CALLERS = 64;
  private static final int WARM_UP_SECONDS = 10;
  private static final double MILLIS = 1_000;
  private static final String PEER = "BullMQ";
  private static final String COMPLETED = "joshua_tasks_ended_total{status=\"COMPLETED\"}";

  private long next;

  void measure(RedisServer redis, int rounds, int seconds, Report report)
      throws IOException, InterruptedException {
    List<Double> answers = new ArrayList<>();
    String directory = MeasuredGroup.emptyDirectory("bullmq").toString();
    try (RedisServer durable =
            Bench.redis("--dir", directory, "--appendonly", "yes", "--appendfsync", "always");
        Peer peer =
            Peer.node(
                report,
                "queue.mjs",
                Integer.toString(durable.port()),
                durable.password(),
                Integer.toString(CALLERS))) {
      if (peer == null) {
        return;
      }
      rate(peer, WARM_UP_SECONDS);
      Rounds.Measurement<Double> theirs = () -> rate(peer, seconds);
      add(report, "as started", "", Rounds.of(rounds, () -> started(redis, seconds), theirs));
      try (MeasuredGroup group = MeasuredGroup.start(redis)) {
        group.settle(() -> rate(group, 1));
        add(report, "settled", ">= 0.9", Rounds.of(rounds, () -> rate(group, seconds), theirs));
        for (int round = 0; round < rounds; round++) {
          answers.add(oneAnswer(group));
        }
      }
    }
    report.add(Figure.alone("help, from call to answer, in ms", answers, "<= 10", ""));
  }

  private static void add(Report report, String when, String aim, Rounds<Double> rates) {
    report.add(rates.figure("durable tasks/s, " + when, Double::doubleValue, PEER, aim, ""));
  }

  /** The first seconds of a group. */
  private double started(RedisServer redis, int seconds) throws IOException, InterruptedException {
    try (MeasuredGroup group = MeasuredGroup.start(redis)) {
      return rate(group, seconds);
    }
  }

  private Frames prompts(String more, String status) {
    String call =
        Frames.call(
            "fiedler_converse",
            "{\"prompt\":\"help\",\"requester_id\":\"bench-%02d\",\"idempotency_key\":\"%d\""
                + more
                + "}");
    return new Frames(connection -> Frames.frame(call.formatted(connection, next++)), status);
  }

  private static double rate(Peer peer, int seconds) throws IOException {
    peer.ask(seconds);
    return peer.number();
  }

  private double rate(MeasuredGroup group, int seconds) throws IOException, InterruptedException {
    double before = group.metric("fiedler", COMPLETED);
    long began = System.nanoTime();
    long accepted;
    try (Load load = new Load(group.port("fiedler"), CALLERS, 1, prompts("", "pending"))) {
      accepted = load.run(seconds * (long) MILLIS);
    }
    double done = group.metric("fiedler", COMPLETED) - before;
    while (done < accepted) {
      if (System.nanoTime() - began > TimeUnit.MINUTES.toNanos(2)) {
        throw new IOException("Of %d tasks %.0f ended.".formatted(accepted, done));
      }
      done = group.metric("fiedler", COMPLETED) - before;
    }
    return done * 1e9 / (System.nanoTime() - began);
  }

  /** The time of a call when nobody else calls. */
  private double oneAnswer(MeasuredGroup group) throws IOException {
    Frames waiting = prompts(",\"wait\":true", "completed");
    try (Load load = new Load(group.port("fiedler"), 1, 1, waiting)) {
      return MILLIS / load.run((long) MILLIS);
    }
  }
}
