package joshua.bench;

import io.lettuce.core.RedisClient;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.io.IOException;
import java.net.URI;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.testing.RedisServer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * From a send to the poll that awaits it, 1 000 a second, beside a bare publisher and subscriber of
 * Lettuce. Counted from when a message was to be sent, so that one that waits for its turn counts.
 */
final class Latency {
  private static final int PER_SECOND = 1_000;
  private static final int WARM_UP_PER_SECOND = 2_000;
  private static final int WARM_UP_SECONDS = 10;
  private static final String PEER = "bare Lettuce";
  private static final Pattern SENT_AT = Pattern.compile("\"at\":([0-9]+)");
  private static final Pattern CURSOR = Pattern.compile("\"cursor\":\"([^\"]+)\"");

  private volatile Histogram histogram = new Histogram(3);

  void measure(RedisServer redis, int rounds, int seconds, Report report)
      throws IOException, InterruptedException {
    List<Double> ours50 = new ArrayList<>();
    List<Double> ours99 = new ArrayList<>();
    List<Double> theirs50 = new ArrayList<>();
    List<Double> theirs99 = new ArrayList<>();
    try (MeasuredGroup group = MeasuredGroup.start(redis);
        RedisClient client = RedisClient.create(Bench.url(redis));
        StatefulRedisPubSubConnection<String, String> subscriber = client.connectPubSub();
        StatefulRedisPubSubConnection<String, String> publisher = client.connectPubSub();
        Socket poller = new Socket(group);
        Socket sender = new Socket(group)) {
      subscriber.addListener(
          new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
              arrived(message);
            }
          });
      subscriber.sync().subscribe("bench");
      LongConsumer bare = at -> publisher.async().publish("bench", payload(at));
      poller.send(
          Frames.call(
              "grace_subscribe", "{\"client_id\":\"poller\",\"topics\":[\"mad.topic.latency\"]}"));
      String subscribed = poller.next();
      var _ = Thread.ofPlatform().daemon().start(() -> poll(poller, subscribed));
      LongConsumer joshua =
          at ->
              sender.send(
                  Frames.call(
                      "grace_send_message",
                      "{\"client_id\":\"sender\",\"channel\":\"mad.topic.latency\",\"payload\":%s}"
                          .formatted(payload(at))));
      run(sender, joshua, WARM_UP_PER_SECOND, WARM_UP_SECONDS);
      run(sender, bare, WARM_UP_PER_SECOND, WARM_UP_SECONDS);
      for (int round = 0; round < rounds; round++) {
        run(sender, joshua, PER_SECOND, seconds);
        add(ours50, ours99);
        run(sender, bare, PER_SECOND, seconds);
        add(theirs50, theirs99);
      }
    }
    report.add(new Figure("send to long poll, p50 in µs", ours50, PEER, theirs50, "", ""));
    report.add(new Figure("send to long poll, p99 in µs", ours99, PEER, theirs99, "<= 2", ""));
  }

  private static String payload(long at) {
    return "{\"at\":%d,\"text\":\"%s\"}".formatted(at, "x".repeat(200));
  }

  private void arrived(String text) {
    long now = System.nanoTime();
    Matcher at = SENT_AT.matcher(text);
    while (at.find()) {
      histogram.recordValue(Math.max(0, now - Long.parseLong(at.group(1))));
    }
  }

  private void add(List<Double> p50, List<Double> p99) {
    p50.add(histogram.getValueAtPercentile(50) / 1_000.0);
    p99.add(histogram.getValueAtPercentile(99) / 1_000.0);
  }

  /**
   * Sends at a constant rate until all has arrived.
   *
   * @param send sends one message, which was to be sent at the time given
   */
  private void run(Socket sender, LongConsumer send, int perSecond, int seconds) {
    histogram = new Histogram(3);
    long count = (long) seconds * perSecond;
    sender.refused.set(0);
    long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
    long start = System.nanoTime();
    for (long i = 0; i < count; i++) {
      long intended = start + i * interval;
      while (System.nanoTime() - intended < 0) {
        LockSupport.parkNanos(intended - System.nanoTime());
      }
      send.accept(intended);
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (histogram.getTotalCount() < count - sender.refused.get()) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException(
            "Of %d messages %d arrived.".formatted(count, histogram.getTotalCount()));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  /** Polls again and again with the cursor of the answer before. */
  private void poll(Socket socket, String subscribed) {
    String answer = subscribed;
    try {
      while (!answer.isEmpty()) {
        Matcher cursor = CURSOR.matcher(answer);
        if (!cursor.find()) {
          throw new IllegalStateException(answer);
        }
        socket.send(
            Frames.call(
                "grace_poll_messages",
                "{\"client_id\":\"poller\",\"wait_ms\":60000,\"cursor\":\"%s\"}"
                    .formatted(cursor.group(1))));
        answer = socket.next();
        arrived(answer);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A WebSocket of frames, whose answers wait in a queue. */
  private static final class Socket implements WebSocket.Listener, AutoCloseable {
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final AtomicLong refused = new AtomicLong();
    private final StringBuilder part = new StringBuilder();
    private final WebSocket socket;

    private Socket(MeasuredGroup group) {
      URI frames = URI.create("ws://127.0.0.1:%d/ws".formatted(group.port()));
      socket = group.http().newWebSocketBuilder().buildAsync(frames, this).join();
    }

    private void send(String frame) {
      socket.sendText(frame, true).join();
    }

    private String next() throws InterruptedException {
      return answers.take();
    }

    @Override
    public void close() {
      socket.abort();
      answers.add("");
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
      part.append(text);
      if (last) {
        answers.add(part.toString());
        if (part.indexOf("success") < 0) {
          refused.incrementAndGet();
        }
        part.setLength(0);
      }
      from.request(1);
      return null;
    }
  }
}
