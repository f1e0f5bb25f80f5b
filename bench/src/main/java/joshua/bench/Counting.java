package joshua.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;

/**
 * The benchmark of messages a second that Rogers receives and counts, in turn with a bare
 * subscriber: as many as each of them takes, from 20 senders on 41 channels.
 */
final class Counting {
  private static final int SENDERS = 20;
  private static final int CHANNELS = 41;
  private static final int BLOCKS_PER_CHECK = 5;
  private static final long MAX_BACKLOG_BYTES = 8L * 1024 * 1024;
  private static final long SECOND_NS = 1_000_000_000;
  private static final int WARM_UP_S = 6;

  /** As many as there is time for. */
  static final long ALL = Long.MAX_VALUE;

  private static final Pattern WAITING = Pattern.compile(" omem=([0-9]+)");
  private static final String COUNTED = "joshua_bus_messages_total";
  private static final long POLL_INTERVAL_MS = 100;
  private static final int MAX_POLLS = 100;

  /** The conversation of all messages. */
  static final String CONVERSATION = UUID.randomUUID().toString();

  private static final byte[] BLOCK = block();

  private Counting() {}

  private static byte[] block() {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (int i = 0; i < SENDERS * CHANNELS; i++) {
      String channel = "mad.topic.bench-" + i % CHANNELS;
      String message =
          RawEnvelope.on(channel)
              .withText("conversation_id", CONVERSATION)
              .from("bench-" + i % SENDERS)
              .payload("{\"text\":\"%s\"}".formatted("word ".repeat(8)))
              .json();
      block.writeBytes(
          "*3\r\n$7\r\nPUBLISH\r\n$%d\r\n%s\r\n$%d\r\n%s\r\n"
              .formatted(channel.length(), channel, message.length(), message)
              .getBytes(StandardCharsets.US_ASCII));
    }
    return block.toByteArray();
  }

  static void measure(
      RedisServer redis, List<String> services, int rounds, int seconds, Report report)
      throws IOException, InterruptedException {
    try (RedisServer other = Bench.redis();
        MeasuredGroup group = MeasuredGroup.start(redis, List.of(), services);
        Peer bare = Peer.java(MeasuredGroup.JVM_OPTIONS, BareSubscriber.class, Bench.url(other))) {
      var _ = bare.number(); // it is ready
      AtomicLong warmUp = new AtomicLong();
      group.settle(() -> warmUp.addAndGet(flood(redis, 1, ALL)));
      flood(other, WARM_UP_S, ALL);
      long published = warmUp.get();
      Rounds<Long> flooded =
          Rounds.of(rounds, () -> flood(redis, seconds, ALL), () -> flood(other, seconds, ALL));
      published += flooded.ours().stream().mapToLong(Long::longValue).sum();
      report.add(
          flooded.figure(
              "counted a second by " + String.join(", ", services),
              messages -> (double) messages / seconds,
              "bare subscriber",
              services.contains("dewey") ? ">= 0.6" : ">= 0.85",
              String.format(
                  Locale.ROOT,
                  "published %d, counted %.0f, its own beats among them",
                  published,
                  counted(group, (double) published))));
    }
  }

  /** Publishes for some seconds or that many, never far ahead of the subscriber; their number. */
  static long flood(RedisServer at, int seconds, long most) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), at.port());
        RawRedis observer = at.connect()) {
      OutputStream out = socket.getOutputStream();
      InputStream in = socket.getInputStream();
      out.write("AUTH %s\r\n".formatted(at.password()).getBytes(StandardCharsets.US_ASCII));
      lines(in, 1);
      long messages = 0;
      for (long end = System.nanoTime() + seconds * SECOND_NS;
          System.nanoTime() - end < 0 && messages < most; ) {
        for (int i = 0; i < BLOCKS_PER_CHECK; i++) {
          out.write(BLOCK);
          lines(in, SENDERS * CHANNELS);
          messages += SENDERS * CHANNELS;
        }
        while (waiting(observer) > MAX_BACKLOG_BYTES) {
          Thread.onSpinWait();
        }
      }
      while (waiting(observer) > 0) {
        Thread.onSpinWait();
      }
      return messages;
    }
  }

  /** The bytes that Redis has buffered for subscribers. */
  private static long waiting(RawRedis observer) {
    Matcher waiting = WAITING.matcher(observer.call("CLIENT", "LIST", "TYPE", "pubsub"));
    return waiting.results().mapToLong(each -> Long.parseLong(each.group(1))).sum();
  }

  private static void lines(InputStream in, int lines) throws IOException {
    byte[] buffer = new byte[64 * 1024];
    for (int seen = 0; seen < lines; ) {
      int read = in.read(buffer);
      if (read < 0) {
        throw new IOException("Redis has gone");
      }
      for (int i = 0; i < read; i++) {
        seen += buffer[i] == '\n' ? 1 : 0;
      }
    }
  }

  /** Waits, with a timeout, until so much is counted, which happens once a second. */
  private static double counted(MeasuredGroup group, double wanted)
      throws IOException, InterruptedException {
    double counted = group.metric("rogers", COUNTED);
    for (int look = 0; counted < wanted && look < MAX_POLLS; look++) {
      new CountDownLatch(1).await(POLL_INTERVAL_MS, TimeUnit.MILLISECONDS);
      counted = group.metric("rogers", COUNTED);
    }
    return counted;
  }
}
