package joshua.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A raw connection to Redis for any command, like redis-cli, without knowledge of envelopes. For
 * one thread. A missing answer is an {@link UncheckedIOException} after a minute.
 */
public final class RawRedis implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 60_000;

  private final Socket socket;
  private final InputStream in;

  private RawRedis(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
    socket.setSoTimeout(TIMEOUT_MILLIS);
  }

  /** Connects to a port on loopback without logging in. */
  public static RawRedis connect(int port) {
    try {
      return new RawRedis(new Socket(InetAddress.getLoopbackAddress(), port));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Connects to a port on loopback and logs in as the user {@code default}. */
  public static RawRedis connect(int port, String password) {
    RawRedis client = connect(port);
    String reply = client.call("AUTH", password);
    if (!reply.equals("OK")) {
      client.close();
      throw new AssertionError("Redis did not let us in: " + reply);
    }
    return client;
  }

  /** Publishes anything at all; returns how many subscriptions matched. */
  public long publish(String channel, String body) {
    return publish(channel, body.getBytes(UTF_8));
  }

  /** Publishes anything at all; returns how many subscriptions matched. */
  public long publish(String channel, byte[] body) {
    send("PUBLISH".getBytes(UTF_8), channel.getBytes(UTF_8), body);
    return Long.parseLong(read());
  }

  /** Sends a command; an error comes as {@code -ERR …}, an array as {@code [a, b]}. */
  public String call(String... words) {
    send(Stream.of(words).map(word -> word.getBytes(UTF_8)).toArray(byte[][]::new));
    return read();
  }

  private void send(byte[]... words) {
    ByteArrayOutputStream command = new ByteArrayOutputStream();
    command.writeBytes(("*" + words.length + "\r\n").getBytes(UTF_8));
    for (byte[] word : words) {
      command.writeBytes(("$" + word.length + "\r\n").getBytes(UTF_8));
      command.writeBytes(word);
      command.writeBytes("\r\n".getBytes(UTF_8));
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

  private String reply() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '-' -> line;
      case '$' -> {
        int length = Integer.parseInt(rest);
        String text = length < 0 ? "nil" : new String(in.readNBytes(length + 2), UTF_8);
        yield length < 0 ? text : text.substring(0, text.length() - 2); // without CR LF
      }
      case '*' -> {
        List<String> elements = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(rest); i++) {
          elements.add(reply());
        }
        yield elements.toString();
      }
      default -> rest;
    };
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("Redis closed the connection");
      }
      line.write(c);
    }
    return line.toString(UTF_8).stripTrailing();
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
