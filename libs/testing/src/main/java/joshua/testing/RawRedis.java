package joshua.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A raw connection to Redis for arbitrary commands, as redis-cli would send them; it knows nothing
 * of envelopes. Not thread-safe. Every wait ends after {@link #ANSWER_WITHIN} with an {@link
 * UncheckedIOException}.
 */
public final class RawRedis implements AutoCloseable {
  static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

  private final Socket socket;
  private final InputStream in;

  private RawRedis(Socket socket, InputStream in) {
    this.socket = socket;
    this.in = in;
  }

  /** Connects to a port on loopback and logs in as the user {@code default}. */
  public static RawRedis to(int port, String password) {
    return to(port, "default", password);
  }

  /** Connects to a port on loopback and logs in. */
  public static RawRedis to(int port, String user, String password) {
    RawRedis client = anonymous(port);
    String reply = client.call("AUTH", user, password);
    if (!reply.equals("OK")) {
      client.close();
      throw new AssertionError("Redis did not let %s in: %s".formatted(user, reply));
    }
    return client;
  }

  /** Connects without logging in. */
  public static RawRedis anonymous(int port) {
    try {
      Socket socket = new Socket();
      try {
        socket.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
            (int) ANSWER_WITHIN.toMillis());
        socket.setSoTimeout((int) ANSWER_WITHIN.toMillis());
        return new RawRedis(socket, new BufferedInputStream(socket.getInputStream()));
      } catch (IOException e) {
        socket.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Publishes anything at all; returns Redis' reply, the number of subscriptions that matched. */
  public long publish(String channel, String body) {
    return publish(channel, body.getBytes(StandardCharsets.UTF_8));
  }

  public long publish(String channel, byte[] body) {
    return number(call(utf8("PUBLISH"), utf8(channel), body));
  }

  /** The number of connections subscribed to exactly this channel. */
  public long subscribers(String channel) {
    return number(replies("PUBSUB", "NUMSUB", channel).get(1));
  }

  /** The number of patterns that clients are subscribed to. */
  public long patterns() {
    return number(call("PUBSUB", "NUMPAT"));
  }

  /** The channels that clients are subscribed to by name. */
  public List<String> channels(String pattern) {
    return replies("PUBSUB", "CHANNELS", pattern);
  }

  /** Sends one command; an error is returned as {@code -ERR …}, an array as {@code [a, b]}. */
  public String call(String... words) {
    return call(Stream.of(words).map(RawRedis::utf8).toArray(byte[][]::new));
  }

  private String call(byte[]... words) {
    send(words);
    return read();
  }

  private List<String> replies(String... words) {
    send(Stream.of(words).map(RawRedis::utf8).toArray(byte[][]::new));
    try {
      return array();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends one command without reading the reply. */
  void send(byte[]... words) {
    ByteArrayOutputStream command = new ByteArrayOutputStream();
    command.writeBytes(utf8("*" + words.length + "\r\n"));
    for (byte[] word : words) {
      command.writeBytes(utf8("$" + word.length + "\r\n"));
      command.writeBytes(word);
      command.writeBytes(utf8("\r\n"));
    }
    try {
      socket.getOutputStream().write(command.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next reply, or message of a subscription, in the form that {@link #call} returns. */
  public String read() {
    try {
      return reply();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next message of a subscription, as its elements; waits without a time limit. */
  List<String> awaitArray() throws IOException {
    socket.setSoTimeout(0);
    return array();
  }

  private String reply() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '-' -> line;
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> elements(Integer.parseInt(rest)).toString();
      default -> rest;
    };
  }

  private List<String> array() throws IOException {
    String line = line();
    if (line.charAt(0) != '*') {
      throw new IOException("Redis did not answer with an array: " + line);
    }
    return elements(Integer.parseInt(line.substring(1)));
  }

  private String bulk(int length) throws IOException {
    if (length < 0) {
      return "nil";
    }
    String text = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    line();
    return text;
  }

  private List<String> elements(int length) throws IOException {
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      elements.add(reply());
    }
    return elements;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("Redis closed the connection");
      }
      line.write(c);
    }
    return line.toString(StandardCharsets.UTF_8).stripTrailing();
  }

  private static long number(String reply) {
    try {
      return Long.parseLong(reply);
    } catch (NumberFormatException e) {
      throw new AssertionError("Redis answered " + reply, e);
    }
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[][] utf8(String first, String... more) {
    return Stream.concat(Stream.of(first), Arrays.stream(more))
        .map(RawRedis::utf8)
        .toArray(byte[][]::new);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
