package joshua.redis;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A client that speaks just enough RESP2 to see what Redis answers, word for word. */
final class RespClient implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;

  RespClient(int port) throws IOException {
    socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(5_000);
    in = new BufferedInputStream(socket.getInputStream());
  }

  static RespClient of(EmbeddedRedis redis) throws IOException {
    RespClient client = new RespClient(redis.port());
    client.call("AUTH", redis.password());
    return client;
  }

  String call(String... words) throws IOException {
    StringBuilder command = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      command.append("$").append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    socket.getOutputStream().write(command.toString().getBytes(StandardCharsets.UTF_8));
    return read();
  }

  /** Sends text as it is, and leaves the answers unread. */
  void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Sends the beginning of a command. */
  String begin(String text) throws IOException {
    send(text);
    return read();
  }

  /** One reply: an error begins with a minus, an array is written [a, b]. */
  String read() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '-' -> line;
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> array(Integer.parseInt(rest)).toString();
      default -> rest;
    };
  }

  private String bulk(int length) throws IOException {
    if (length < 0) {
      return "nil";
    }
    String text = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    line();
    return text;
  }

  private List<String> array(int length) throws IOException {
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      elements.add(read());
    }
    return elements;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("Redis closed the connection");
      }
      line.append((char) c);
    }
    return line.toString().stripTrailing();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
