package joshua.app.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import joshua.kernel.PrivateFile;
import joshua.network.TokenFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedded Redis of a group that isn't given one: on loopback, with a password, for Pub/Sub on
 * {@code mad.*} alone. It ends with this object or this JVM, however that ends. If it dies, the
 * thread {@code redis-supervisor} restarts it on the same port.
 */
public final class EmbeddedRedis implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final String USE_ANOTHER =
      "Set JOSHUA_REDIS_URL to use a Redis that runs already.";
  private static final int TRIED_PORTS = 100;
  private static final long READY_WITHIN_SECONDS = 10;
  private static final long FIRST_DELAY_MS = 100;
  private static final long MAX_DELAY_MS = 10_000;
  private static final long LASTED_MS = 10_000;
  private static final Logger log = LoggerFactory.getLogger(EmbeddedRedis.class);

  private final Path directory;
  private final Path program;
  private final RedisPassword password;
  private final int port;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread supervisor =
      Thread.ofVirtual().name("redis-supervisor").unstarted(this::restartWheneverItDies);
  private volatile RedisProcess process;

  private EmbeddedRedis(
      Path directory, Path program, RedisPassword password, int port, RedisProcess process) {
    this.directory = directory;
    this.program = program;
    this.password = password;
    this.port = port;
    this.process = process;
  }

  /**
   * Starts Redis and returns when it answers.
   *
   * @param dataDirectory where {@code redis.password} is kept, and the files that Redis needs
   * @param port 0: any free one
   * @param explicit whether that port alone will do; otherwise the next free one is taken
   * @throws IOException with a sentence for the user: port in use, an unfit password file, a
   *     machine that no program is for
   */
  public static EmbeddedRedis start(Path dataDirectory, int port, boolean explicit)
      throws IOException, InterruptedException {
    Path directory = dataDirectory.toAbsolutePath().resolve("redis");
    Files.createDirectories(directory);
    RedisPassword password = RedisPassword.in(directory.resolveSibling("redis.password"));
    Path program = RedisProgram.find(directory);
    int tries = explicit && port != 0 ? 1 : TRIED_PORTS;
    for (int tried = 0; tried < tries; tried++) {
      int candidate = port == 0 ? anyFree() : port + tried;
      RedisProcess process =
          isFree(candidate) ? launch(directory, program, password, candidate) : null;
      if (process != null) {
        EmbeddedRedis redis = new EmbeddedRedis(directory, program, password, candidate, process);
        redis.supervisor.start();
        return redis;
      }
    }
    throw new IOException(
        "Port %d is in use, so that the embedded Redis can't listen there. Set JOSHUA_REDIS_PORT to a free port, or to 0 for any. %s"
            .formatted(port, USE_ANOTHER));
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.ofLiteral(HOST), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static int anyFree() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Starts a process and waits until it is ready; null if another one has taken the port. */
  private static @Nullable RedisProcess launch(
      Path directory, Path program, RedisPassword password, int port) throws IOException {
    Path conf = directory.resolve("redis.conf");
    PrivateFile.write(conf, configuration(port, password));
    RedisProcess process = RedisProcess.start(program, conf, directory);
    if (process.awaitReady(READY_WITHIN_SECONDS)) {
      return process;
    }
    process.stop();
    if (process.whatItSaid().contains("Address already in use")) {
      return null;
    }
    throw new IOException(
        "The embedded Redis, %s, did not start in %s. It said: %s. %s"
            .formatted(program, directory, process.whatItSaid(), USE_ANOTHER));
  }

  private static String configuration(int port, RedisPassword password) {
    return """
    bind 127.0.0.1
    port %d
    protected-mode yes
    daemonize no
    save ""
    appendonly no
    databases 1
    loglevel notice
    always-show-logo no
    tcp-keepalive 60
    maxclients 4096
    proto-max-bulk-len 4mb
    client-query-buffer-limit 8mb
    client-output-buffer-limit normal 16mb 4mb 10
    client-output-buffer-limit pubsub 256mb 64mb 60
    maxmemory-clients 1gb
    %s
    """
        .formatted(port, RedisUser.ofOthers(TokenFile.hash(password.text())));
  }

  private void restartWheneverItDies() {
    try {
      long delay = FIRST_DELAY_MS;
      while (closed.getCount() > 0) {
        long begun = System.nanoTime();
        int status = process.awaitExit();
        // One that dies soon is no better than one that doesn't start.
        boolean lasted = System.nanoTime() - begun > TimeUnit.MILLISECONDS.toNanos(LASTED_MS);
        delay = lasted ? FIRST_DELAY_MS : Math.min(2 * delay, MAX_DELAY_MS);
        if (closed.await(delay, TimeUnit.MILLISECONDS)) {
          return;
        }
        log.warn(
            "Redis on port {} has died with status {}; it is started again after {} ms. It said: {}",
            port,
            status,
            delay,
            process.whatItSaid());
        restart();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void restart() {
    process.stop();
    try {
      RedisProcess again = launch(directory, program, password, port);
      if (again == null) {
        log.warn("Redis can't be started again yet: port {} is in use by somebody else", port);
      } else {
        process = again;
        log.info("Redis runs again on port {}, process {}", port, again.pid());
      }
    } catch (IOException | RuntimeException | Error e) {
      log.warn("Redis can't be started again yet", e);
    }
  }

  public int port() {
    return port;
  }

  /** {@code redis://127.0.0.1:port}, without the password. */
  public String url() {
    return "redis://%s:%d".formatted(HOST, port);
  }

  public String password() {
    return password.text();
  }

  /** The file that holds just the password. */
  public Path passwordFile() {
    return password.file();
  }

  /** The process id of the redis-server that runs now; another one after a restart. */
  public long pid() {
    return process.pid();
  }

  /** Stops Redis, within 10 s. */
  @Override
  public void close() {
    closed.countDown();
    process.stop();
    try {
      supervisor.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.stop(); // it may have been started again at the last moment
  }
}
