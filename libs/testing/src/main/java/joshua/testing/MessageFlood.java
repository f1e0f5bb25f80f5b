package joshua.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import joshua.kernel.TimedWait;

/**
 * A publisher as fast as a socket: prepared messages, pipelined, sent in a loop. Not thread-safe.
 */
public final class MessageFlood implements AutoCloseable {
  /** The number of messages per write. */
  private static final int BATCH = 250;

  private static final Duration POLL = Duration.ofNanos(50_000);

  /** A message that is published repeatedly. */
  public record Publication(String channel, String sender, String body) {}

  private final TimedWait timedWait = TimedWait.system();
  private final List<Publication> round;
  private final byte[] wire;
  private final int[] starts;
  private final Socket socket;
  private final OutputStream out;
  private final AtomicLong acknowledged = new AtomicLong();
  private final Thread replies;
  private volatile String failure = "";
  private long sent;

  /** Connects and logs in. */
  public MessageFlood(int port, String password, List<Publication> round) {
    this.round = List.copyOf(round);
    this.starts = new int[round.size() + 1];
    this.wire = wire(round, starts);
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      out = socket.getOutputStream();
      out.write(command("AUTH", password));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    replies = Thread.ofPlatform().daemon().name("flood-replies").start(this::readReplies);
  }

  /**
   * Valid envelopes of about 350 bytes, from this many senders, on channels of every kind.
   *
   * @param count a multiple of the senders
   */
  public static List<Publication> talk(int senders, int count, Random random) {
    List<Publication> talk = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String sender = "sender-" + i % senders;
      String channel =
          switch (i % 10) {
            case 0 -> "mad.broadcast";
            case 1, 2 -> "mad.direct.sender-" + (i + 1) % senders;
            case 3 -> "mad.stream.task-" + i % 7;
            default -> "mad.topic.subject-" + i % 13;
          };
      String words = "word-%x ".formatted(random.nextInt()).repeat(2);
      talk.add(
          new Publication(
              channel,
              sender,
              RawEnvelope.on(channel)
                  .from(sender)
                  .payload("{\"n\":%d,\"text\":\"%s\"}".formatted(i, words))
                  .json()));
    }
    return talk;
  }

  private static byte[] wire(List<Publication> round, int[] starts) {
    ByteArrayOutputStream wire = new ByteArrayOutputStream();
    for (int i = 0; i < starts.length - 1; i++) {
      starts[i] = wire.size();
      wire.writeBytes(command("PUBLISH", round.get(i).channel(), round.get(i).body()));
    }
    starts[starts.length - 1] = wire.size();
    return wire.toByteArray();
  }

  private static byte[] command(String... words) {
    ByteArrayOutputStream command = new ByteArrayOutputStream();
    command.writeBytes(("*" + words.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
    for (String word : words) {
      byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
      command.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
      command.writeBytes(bytes);
      command.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    return command.toByteArray();
  }

  private void readReplies() {
    byte[] buffer = new byte[64 * 1024];
    long lines = -1; // The first is that of AUTH.
    try (InputStream in = new BufferedInputStream(socket.getInputStream())) {
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        for (int i = 0; i < length; i++) {
          if (buffer[i] == '-') {
            failure = new String(buffer, i, length - i, StandardCharsets.UTF_8);
          }
          lines += buffer[i] == '\n' ? 1 : 0;
        }
        acknowledged.set(lines);
      }
      failure = "Redis closed the connection";
    } catch (IOException e) {
      failure = e.toString();
    }
  }

  /**
   * Publishes this many more messages, and returns when Redis has acknowledged them.
   *
   * @param mayGoOn asked before each batch, with the number sent so far
   */
  public void publish(long messages, LongPredicate mayGoOn) throws IOException {
    long goal = sent + messages;
    while (sent < goal) {
      while (!mayGoOn.test(sent)) {
        pause();
        check();
      }
      int from = (int) (sent % round.size());
      int many = (int) Math.min(Math.min(BATCH, round.size() - from), goal - sent);
      out.write(wire, starts[from], starts[from + many] - starts[from]);
      sent += many;
      check();
    }
    while (acknowledged.get() < sent) {
      pause();
      check();
    }
  }

  private void pause() throws IOException {
    try {
      timedWait.pause(POLL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  private void check() throws IOException {
    if (!failure.isEmpty()) {
      throw new IOException("the flood ended: " + failure);
    }
  }

  public long sent() {
    return sent;
  }

  /** The number of messages that Redis has acknowledged. */
  public long acknowledged() {
    return Math.max(0, acknowledged.get());
  }

  /** The number of each sender's messages among the first {@code messages}, by name and kind. */
  public Map<String, Long> expected(long messages) {
    Map<String, Long> expected = new TreeMap<>();
    for (int i = 0; i < round.size(); i++) {
      long times = messages / round.size() + (i < messages % round.size() ? 1 : 0);
      String[] channel = round.get(i).channel().split("\\.", 3);
      String pattern = channel[0] + "." + channel[1];
      if (times > 0) {
        expected.merge(round.get(i).sender() + " " + pattern, times, Long::sum);
      }
    }
    return expected;
  }

  /** The number of body bytes among the first {@code messages}. */
  public long expectedBytes(long messages) {
    long bytes = 0;
    for (int i = 0; i < round.size(); i++) {
      long times = messages / round.size() + (i < messages % round.size() ? 1 : 0);
      bytes += times * round.get(i).body().getBytes(StandardCharsets.UTF_8).length;
    }
    return bytes;
  }

  @Override
  public void close() {
    try {
      socket.close();
      replies.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
