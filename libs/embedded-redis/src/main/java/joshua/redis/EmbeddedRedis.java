package joshua.redis;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import joshua.kernel.EssentialThread;
import joshua.kernel.RedisSettings;
import joshua.kernel.TimedWait;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Redis of our own, for a start without any other: on loopback, with a password, for Pub/Sub on
 * {@code mad.*} and nothing else.
 *
 * <p>It lives no longer than this object or this JVM, however that ends. If Redis dies it is
 * started again on the same port with the same password. All state is in one {@link
 * AtomicReference}; the thread {@code redis-supervisor} alone starts processes after the first.
 */
public final class EmbeddedRedis implements AutoCloseable {
  public static final String HOST = "127.0.0.1";

  static final String USE_ANOTHER = "Set JOSHUA_REDIS_URL to use a Redis that runs already.";

  private static final Logger log = LoggerFactory.getLogger(EmbeddedRedis.class);
  private static final long MIB = 1024 * 1024;

  /**
   * What matching the most deeply nested pattern takes that fits a command of 4 MiB, and more:
   * unmended programs call themselves once for each of its stars (CVE-2024-31228).
   */
  private static final int STACK_KIB = 512 * 1024;

  private static final Duration READY_WITHIN = Duration.ofSeconds(10);
  private static final Duration FIRST_DELAY = Duration.ofMillis(100);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(10);
  private static final Duration PROBE_EVERY = Duration.ofMillis(10);

  /**
   * The settings of the embedded Redis.
   *
   * @param directory where {@code redis.password} is kept, and the files that Redis needs
   * @param port 0: any free one
   * @param portIsExplicit whether the user named this port, so that no other will do
   * @param program the path of a redis-server or valkey-server, or {@link RedisSettings#BUNDLED};
   *     if empty, the first on the PATH that withstands the known attacks, else the bundled one
   * @param envelopeLimit the largest message that is sent, in bytes
   */
  public record Config(
      Path directory,
      int port,
      boolean portIsExplicit,
      Optional<String> program,
      long envelopeLimit) {
    public Config {
      directory = directory.toAbsolutePath();
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException("port must be from 0 to 65535, not " + port);
      }
    }

    /** Uses the program that ships with Joshua. */
    public Config(Path directory, int port, boolean portIsExplicit) {
      this(directory, port, portIsExplicit, Optional.of(RedisSettings.BUNDLED), MIB);
    }

    Path passwordFile() {
      return directory.resolve("redis.password");
    }

    Path workingDirectory() {
      return directory.resolve("redis");
    }
  }

  private record State(boolean closed, Launched redis) {
    RedisProcess process() {
      return redis.process();
    }
  }

  /** A running Redis that answers, and its description. */
  private record Launched(RedisProcess process, String description) {}

  private final Config config;
  private final RedisPassword redisPassword;
  private final int port;
  private final TimedWait timedWait;
  private final AtomicReference<State> state;
  private final Thread supervisor;
  private volatile LongConsumer restarted = pid -> {};

  private EmbeddedRedis(
      Config config, RedisPassword redisPassword, int port, Launched first, TimedWait timedWait) {
    this.config = config;
    this.redisPassword = redisPassword;
    this.port = port;
    this.timedWait = timedWait;
    this.state = new AtomicReference<>(new State(false, first));
    this.supervisor =
        Thread.ofVirtual()
            .name("redis-supervisor")
            .unstarted(
                EssentialThread.lifeOnly("redis-supervisor").watching(this::restartWheneverItDies));
  }

  /**
   * Starts Redis and returns when it answers.
   *
   * @param timedWait waits between two looks at a starting Redis, and before a restart
   * @throws CannotStartException with a sentence for the user: port in use, an unfit password file,
   *     a machine that no binary is for
   */
  public static EmbeddedRedis start(Config config, TimedWait timedWait)
      throws CannotStartException, InterruptedException {
    try {
      OwnerOnlyFile.createDirectory(config.workingDirectory());
      RedisPassword redisPassword = RedisPassword.in(config.passwordFile());
      for (int port : RedisPorts.candidates(config).toArray()) {
        Launched first =
            RedisPorts.free(port) ? launch(config, redisPassword, port, timedWait) : null;
        if (first != null) {
          EmbeddedRedis redis = new EmbeddedRedis(config, redisPassword, port, first, timedWait);
          redis.supervisor.start();
          return redis;
        }
      }
      throw portInUse(config);
    } catch (IOException e) {
      throw new CannotStartException(
          "The embedded Redis can't be set up in %s (%s). Make that directory writable, or choose another by JOSHUA_DATA_DIR. %s"
              .formatted(config.directory(), e, USE_ANOTHER),
          e);
    }
  }

  private static CannotStartException portInUse(Config config) {
    String tried =
        config.portIsExplicit() || config.port() == 0
            ? "Port " + config.port() + " is"
            : "Ports %d to %d are".formatted(config.port(), config.port() + RedisPorts.TRIED - 1);
    return new CannotStartException(
        "%s in use, so that the embedded Redis can't listen there. Set JOSHUA_REDIS_PORT to a free port, or to 0 for any. %s"
            .formatted(tried, USE_ANOTHER));
  }

  /**
   * Starts a Redis on {@code port} and waits until it answers.
   *
   * @return null if another process has taken the port
   */
  private static @Nullable Launched launch(
      Config config, RedisPassword redisPassword, int port, TimedWait timedWait)
      throws IOException, CannotStartException, InterruptedException {
    Path room = config.workingDirectory();
    Path conf = room.resolve("redis.conf");
    RedisProgram program =
        new ProgramSelection(room, config.program(), ExecutablePath.ofThisProcess(), timedWait)
            .select();
    RedisConf.Limits limits = RedisConf.Limits.forEnvelopes(config.envelopeLimit());
    OwnerOnlyFile.replace(
        conf, new RedisConf(port, redisPassword, limits, program.knowsSetInfo()).text());
    long deadline = System.nanoTime() + READY_WITHIN.toNanos();
    while (true) {
      RedisProcess process = RedisProcess.start(program.file(), conf, room, STACK_KIB);
      Optional<String> version = awaitReady(process, port, redisPassword, deadline, timedWait);
      if (version.isPresent()) {
        return new Launched(process, program.describe(version.get()));
      }
      if (!RedisPorts.free(port)) {
        return null;
      }
      if (!process.binaryWasBusy() || System.nanoTime() > deadline) {
        throw new CannotStartException(
            "The embedded Redis, %s, did not start in %s. It said: %s. %s"
                .formatted(
                    program.file(), room, String.join(" | ", process.lastLines()), USE_ANOTHER));
      }
      timedWait.pause(PROBE_EVERY);
    }
  }

  /** Waits until it reports its version; stops it if it doesn't. */
  private static Optional<String> awaitReady(
      RedisProcess process,
      int port,
      RedisPassword redisPassword,
      long deadline,
      TimedWait timedWait)
      throws InterruptedException {
    Optional<String> version = Optional.empty();
    try {
      while (version.isEmpty() && process.alive() && System.nanoTime() < deadline) {
        timedWait.pause(PROBE_EVERY);
        version = process.pid() > 0 ? RedisProbe.version(port, redisPassword) : version;
      }
      return version;
    } finally {
      if (version.isEmpty()) {
        process.stop();
      }
    }
  }

  private void restartWheneverItDies() {
    try {
      while (!state.get().closed()) {
        state.get().process().awaitExit();
        if (!state.get().closed()) {
          log.warn("Redis on port {} has died; starting it again", port);
          state.get().process().stop();
          restart();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void restart() throws InterruptedException {
    Duration delay = FIRST_DELAY;
    while (!state.get().closed()) {
      timedWait.pause(delay);
      Launched redis = relaunch();
      if (redis != null) {
        State now = state.updateAndGet(before -> new State(before.closed(), redis));
        if (now.closed()) {
          redis.process().stop();
        } else {
          log.info("Redis runs again on port {}, process {}", port, redis.process().pid());
          restarted.accept(redis.process().pid());
        }
        return;
      }
      Duration doubled = delay.multipliedBy(2);
      delay = doubled.compareTo(LONGEST_DELAY) < 0 ? doubled : LONGEST_DELAY;
    }
  }

  private @Nullable Launched relaunch() throws InterruptedException {
    try {
      Launched redis = launch(config, redisPassword, port, timedWait);
      if (redis == null) {
        log.warn("Redis can't be started again yet: port {} is in use by somebody else", port);
      }
      return redis;
    } catch (IOException | CannotStartException e) {
      log.warn("Redis can't be started again yet", e);
      return null;
    }
  }

  public String host() {
    return HOST;
  }

  public int port() {
    return port;
  }

  /** The password of the user {@code default}. */
  public String password() {
    return redisPassword.text();
  }

  /** The file that holds just the password: {@code redis-cli -a "$(cat …)"}. */
  public Path passwordFile() {
    return config.passwordFile();
  }

  /** The process id of the redis-server that runs now; another one after a restart. */
  public long pid() {
    return state.get().process().pid();
  }

  /**
   * The running program, for people: name, version, file and why this one. It may be another after
   * a restart if a better one was installed meanwhile.
   */
  public String description() {
    return state.get().redis().description();
  }

  /** Calls {@code heard} with the process id of every later Redis, on the supervisor's thread. */
  public void onRestart(LongConsumer heard) {
    restarted = heard;
  }

  /**
   * Whether Redis runs at this moment; false between its death and its restart, and when closed.
   */
  public boolean alive() {
    return state.get().process().alive();
  }

  /** Stops Redis, within 10 s; further calls do nothing. */
  @Override
  public void close() {
    State before = state.getAndUpdate(now -> new State(true, now.redis()));
    if (!before.closed()) {
      supervisor.interrupt();
      before.process().stop();
      joinSupervisor();
      state.get().process().stop();
    }
  }

  private void joinSupervisor() {
    try {
      supervisor.join(READY_WITHIN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
