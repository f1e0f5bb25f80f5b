package joshua.bench;

import io.lettuce.core.RedisClient;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.testing.RedisServer;
import org.HdrHistogram.Histogram;

/**
 * The benchmark of the latency from a send to the poll that awaits it, at 1 000 a second, beside a
 * bare publisher and subscriber of Lettuce. Measured from scheduled times, so late sends count.
 */
final class Latency {
  private static final int PER_SECOND = 1_000;
  private static final int WARM_UP_PER_SECOND = 2_000;
  private static final int WARM_UP_SECONDS = 10;
  private static final String PEER = "bare Lettuce";
  private static final String TOPIC = "mad.topic.latency";
  private static final Pattern SENT_AT = Pattern.compile("\"at\":([0-9]+)");
  private static final Pattern CURSOR = Pattern.compile("\"cursor\":\"([^\"]+)\"");

  private final AtomicLong refused = new AtomicLong();
  private volatile Histogram histogram = new Histogram(3);

  /** Sends one message that was scheduled for a time of {@link System#nanoTime}. */
  @FunctionalInterface
  interface Sender {
    void send(long at) throws IOException;
  }

  void measure(RedisServer redis, int rounds, int seconds, Report report)
      throws IOException, InterruptedException {
    try (RedisClient client = RedisClient.create(Bench.url(redis));
        StatefulRedisPubSubConnection<String, String> subscriber = client.connectPubSub();
        StatefulRedisPubSubConnection<String, String> publisher = client.connectPubSub()) {
      subscriber.addListener(
          new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
              arrived(message);
            }
          });
      subscriber.sync().subscribe("bench");
      Sender lettuce = at -> publisher.async().publish("bench", payload(at));
      Rounds.Measurement<Histogram> bare = () -> run(lettuce, PER_SECOND, seconds, 1);
      run(lettuce, WARM_UP_PER_SECOND, WARM_UP_SECONDS, 1);
      add(report, "as started", "", "<= 5", Rounds.of(rounds, () -> started(redis, seconds), bare));
      try (MeasuredGroup group = MeasuredGroup.start(redis);
          FrameSocket _ = poller(group, "poller", TOPIC);
          FrameSocket sender = sender(group.port())) {
        group.settle(() -> run(joshua(sender), WARM_UP_PER_SECOND, 1, 1));
        add(
            report,
            "settled",
            "<= 1.5",
            "<= 2.5",
            Rounds.of(rounds, () -> run(joshua(sender), PER_SECOND, seconds, 1), bare));
      }
    }
  }

  private static void add(
      Report report, String when, String aim50, String aim99, Rounds<Histogram> rounds) {
    report.add(rounds.figure("send to poll, p50 µs, " + when, micros(50), PEER, aim50, ""));
    report.add(rounds.figure("send to poll, p99 µs, " + when, micros(99), PEER, aim99, ""));
  }

  private static ToDoubleFunction<Histogram> micros(double percentile) {
    return histogram -> histogram.getValueAtPercentile(percentile) / 1_000.0;
  }

  /** The first seconds of a group. */
  private Histogram started(RedisServer redis, int seconds)
      throws IOException, InterruptedException {
    try (MeasuredGroup group = MeasuredGroup.start(redis);
        FrameSocket _ = poller(group, "poller", TOPIC);
        FrameSocket sender = sender(group.port())) {
      return run(joshua(sender), PER_SECOND, seconds, 1);
    }
  }

  private static Sender joshua(FrameSocket socket) {
    return at ->
        socket.send(
            Frames.call(
                "grace_send_message",
                "{\"client_id\":\"sender\",\"channel\":\"mad.topic.latency\",\"payload\":%s}"
                    .formatted(payload(at))));
  }

  private static String payload(long at) {
    return "{\"at\":%d,\"text\":\"%s\"}".formatted(at, "x".repeat(200));
  }

  private synchronized void arrived(String text) {
    long now = System.nanoTime();
    Matcher at = SENT_AT.matcher(text);
    while (at.find()) {
      histogram.recordValue(Math.max(0, now - Long.parseLong(at.group(1))));
    }
  }

  /**
   * Sends at a constant rate until all has arrived.
   *
   * @param copies how often each arrives
   * @return the latencies in ns
   */
  Histogram run(Sender sender, int perSecond, int seconds, int copies) throws IOException {
    histogram = new Histogram(3);
    long count = (long) seconds * perSecond;
    refused.set(0);
    long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
    long start = System.nanoTime();
    for (long i = 0; i < count; i++) {
      long intended = start + i * interval;
      while (System.nanoTime() - intended < 0) {
        LockSupport.parkNanos(intended - System.nanoTime());
      }
      sender.send(intended);
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (histogram.getTotalCount() < (count - refused.get()) * copies) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException(
            "Of %d messages %d arrived.".formatted(count, histogram.getTotalCount()));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    return histogram;
  }

  /** A socket whose answers are read as they come; refusals are counted. */
  FrameSocket sender(int port) throws IOException {
    FrameSocket socket = new FrameSocket(port);
    read(() -> {
      while (true) {
        if (!socket.next().contains("success")) {
          refused.incrementAndGet();
        }
      }
    });
    return socket;
  }

  /** A socket that polls repeatedly, with the cursor of the last answer. */
  FrameSocket poller(MeasuredGroup group, String client, String topic) throws IOException {
    FrameSocket socket = new FrameSocket(group.port());
    String self = "{\"client_id\":\"%s\",".formatted(client);
    String subscribed =
        socket.call("grace_subscribe", self + "\"topics\":[\"%s\"]}".formatted(topic));
    read(() -> {
      String answer = subscribed;
      while (true) {
        Matcher cursor = CURSOR.matcher(answer);
        if (!cursor.find()) {
          throw new IllegalStateException(answer);
        }
        answer =
            socket.call(
                "grace_poll_messages",
                self + "\"wait_ms\":60000,\"cursor\":\"%s\"}".formatted(cursor.group(1)));
        arrived(answer);
      }
    });
    return socket;
  }

  /** Reads until the socket is closed. */
  @FunctionalInterface
  private interface Reader {
    void read() throws IOException;
  }

  private static void read(Reader reader) {
    var _ =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try {
                reader.read();
              } catch (IOException e) {
                // the measurement has ended
              }
            });
  }
}
