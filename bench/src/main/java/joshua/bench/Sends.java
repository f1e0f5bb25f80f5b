package joshua.bench;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;
import joshua.testing.RedisServer;

/**
 * The benchmark of sends a second by WebSocket: 32 connections with 16 frames of 300 bytes in
 * flight each, in turn with redis-benchmark on the same Redis.
 */
final class Sends {
  private static final int CONNECTIONS = 32;
  private static final int IN_FLIGHT = 16;
  private static final int FRAME = 300;
  private static final long SECOND = 1_000;
  private static final int MESSAGES = 150_000;
  private static final int FIRST_SECONDS = 10;
  private static final String PEER = "redis-benchmark";

  private Sends() {}

  private static Frames frames() {
    String call =
        Frames.call(
            "grace_send_message",
            "{\"client_id\":\"bench-%02d\",\"channel\":\"mad.topic.bench\",\"payload\":{\"text\":\"%s\"}}");
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      frames.add(Frames.frame(call.formatted(i, "x".repeat(FRAME - call.length()))));
    }
    return new Frames(frames::get, "success");
  }

  static void measure(RedisServer redis, int rounds, int seconds, Report report)
      throws IOException, InterruptedException {
    String payload = "x".repeat(FRAME);
    Rounds.Measurement<Double> publications = () -> publications(redis, payload);
    try {
      publications.measure();
    } catch (IOException e) {
      report.skip("sends", "It needs redis-benchmark, of redis-tools: " + e.getMessage());
      return;
    }
    List<String> bySecond = new ArrayList<>();
    report.add(
        Rounds.of(rounds, () -> started(redis, bySecond), publications)
            .figure(
                "sends a second, first 10 s",
                Double::doubleValue,
                PEER,
                ">= 0.7",
                "thousands by second: " + String.join(" ", bySecond)));
    try (MeasuredGroup group = MeasuredGroup.start(redis)) {
      try (Load load = new Load(group.port(), CONNECTIONS, IN_FLIGHT, frames())) {
        group.settle(() -> load.run(SECOND));
      }
      Rounds<Double> settled = Rounds.of(rounds, () -> settled(group, seconds), publications);
      report.add(
          settled.figure("sends a second, settled", Double::doubleValue, PEER, ">= 1.5", ""));
    }
  }

  /** The first seconds of a group; {@code bySecond} gets the thousands of each second. */
  private static double started(RedisServer redis, List<String> bySecond)
      throws IOException, InterruptedException {
    long all = 0;
    bySecond.clear();
    try (MeasuredGroup group = MeasuredGroup.start(redis);
        Load load = new Load(group.port(), CONNECTIONS, IN_FLIGHT, frames())) {
      for (int i = 0; i < FIRST_SECONDS; i++) {
        long now = load.run(SECOND);
        all += now;
        bySecond.add(Long.toString(now / SECOND));
      }
    }
    return (double) all / FIRST_SECONDS;
  }

  /** Sends a second of a group that has been loaded before. */
  static double settled(MeasuredGroup group, int seconds) throws IOException {
    try (Load load = new Load(group.port(), CONNECTIONS, IN_FLIGHT, frames())) {
      load.run(SECOND);
      return (double) load.run(seconds * SECOND) / seconds;
    }
  }

  /** Publications a second of 32 connections, each of which awaits an answer before it goes on. */
  private static double publications(RedisServer redis, String payload)
      throws IOException, InterruptedException {
    String command =
        "redis-benchmark -p %d -a %s -c 32 -n %d --csv PUBLISH bench %s"
            .formatted(redis.port(), redis.password(), MESSAGES, payload);
    Process process =
        new ProcessBuilder(command.split(" ", -1)).redirectError(Redirect.DISCARD).start();
    List<String> lines = process.inputReader().lines().toList();
    if (process.waitFor() != 0) {
      throw new IOException("redis-benchmark failed");
    }
    return Double.parseDouble(
        lines.getLast().split("\",\"", 3)[1]); // "PUBLISH …","65900.00","0.4",…
  }
}
