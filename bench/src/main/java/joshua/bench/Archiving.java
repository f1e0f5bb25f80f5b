package joshua.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;

/**
 * The benchmark of messages a second that Dewey keeps, in bursts for which he has room, in turn
 * with a bare subscriber, and of how long he takes to look something up among many.
 */
final class Archiving {
  private static final int MANY = 600_000;
  private static final int LOOKUPS = 200;
  private static final int BURST = 40_000;
  private static final String KEPT = "joshua_archive_messages_total{kind=\"mad.topic\"}";
  private static final String NOT_KEPT = "joshua_archive_not_kept_total";
  private static final long PAUSE_NANOS = 20_000_000;

  private final MeasuredGroup group;
  private final RedisServer redis;
  private double published;

  private Archiving(MeasuredGroup group, RedisServer redis) {
    this.group = group;
    this.redis = redis;
  }

  static void measure(RedisServer redis, int rounds, int seconds, Report report)
      throws IOException, InterruptedException {
    try (RedisServer other = Bench.redis();
        MeasuredGroup group = MeasuredGroup.start(redis, List.of(), List.of("dewey"));
        Peer bare = Peer.java(MeasuredGroup.JVM_OPTIONS, BareSubscriber.class, Bench.url(other))) {
      var _ = bare.number(); // it is ready
      Archiving dewey = new Archiving(group, redis);
      group.settle(() -> dewey.keptPerSecond(1));
      Rounds<Double> rates =
          Rounds.of(
              rounds,
              () -> dewey.keptPerSecond(seconds),
              () -> (double) Counting.flood(other, seconds, Counting.ALL) / seconds);
      report.add(
          rates.figure(
              "messages kept a second",
              Double::doubleValue,
              "bare subscriber",
              ">= 0.1",
              "of %.0f published %.0f weren't kept"
                  .formatted(dewey.published, group.metric("dewey", NOT_KEPT))));
      while (group.metric("dewey", KEPT) < MANY) {
        var _ = dewey.keptPerSecond(1);
      }
      dewey.lookUp(report);
    }
  }

  private double keptPerSecond(int seconds) throws IOException, InterruptedException {
    double before = group.metric("dewey", KEPT);
    long began = System.nanoTime();
    long elapsed;
    do {
      published += Counting.flood(redis, 1, BURST);
      while (group.metric("dewey", KEPT) + group.metric("dewey", NOT_KEPT) < published) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      elapsed = System.nanoTime() - began;
    } while (elapsed < seconds * 1e9);
    return (group.metric("dewey", KEPT) - before) * 1e9 / elapsed;
  }

  private void lookUp(Report report) throws IOException {
    RawEnvelope last = RawEnvelope.on("mad.topic.rare").payload("{\"text\":\"needle\"}");
    try (FrameSocket socket = new FrameSocket(group.port("dewey"));
        RawRedis raw = redis.connect()) {
      raw.publish("mad.topic.rare", last.json());
      while (!socket.call("dewey_search", "{\"text\":\"needle\"}").contains("excerpt")) {
        LockSupport.parkNanos(PAUSE_NANOS); // the index has yet to catch up
      }
      time(report, socket, "history", "channel", "mad.topic.bench-1");
      time(report, socket, "history", "conversation_id", Counting.CONVERSATION);
      time(report, socket, "search", "text", "needle");
      time(report, socket, "search", "text", "word"); // which is everywhere
    }
  }

  private static void time(Report report, FrameSocket socket, String tool, String by, String value)
      throws IOException {
    List<Double> millis = new ArrayList<>();
    for (int i = 0; i < LOOKUPS; i++) {
      long began = System.nanoTime();
      socket.call("dewey_" + tool, "{\"%s\":\"%s\"}".formatted(by, value));
      millis.add((System.nanoTime() - began) / 1e6);
    }
    String name = "%s by %s, ms".formatted(tool, by);
    report.add(Figure.alone(name, millis, "<= 10", "among %d messages".formatted(MANY)));
  }
}
