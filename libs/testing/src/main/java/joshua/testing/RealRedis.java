package joshua.testing;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import joshua.kernel.TimedWait;
import joshua.redis.CannotStartException;
import joshua.redis.EmbeddedRedis;

/**
 * A Redis for a test, on its own port with its own password: the same Redis that Joshua bundles,
 * with its ACL. If killed, it restarts on the same port with the same password.
 */
public final class RealRedis implements AutoCloseable {
  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(20);

  private final TempDirectory directory;
  private final EmbeddedRedis redis;

  private RealRedis(TempDirectory directory, EmbeddedRedis redis) {
    this.directory = directory;
    this.redis = redis;
  }

  /** Starts one, and returns when it answers. */
  public static RealRedis start() {
    try {
      TempDirectory directory = TempDirectory.create("redis");
      EmbeddedRedis.Config config = new EmbeddedRedis.Config(directory.path(), 0, false);
      return new RealRedis(directory, EmbeddedRedis.start(config, TimedWait.system()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (CannotStartException e) {
      throw new AssertionError("no Redis for this test", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while Redis was starting", e);
    }
  }

  public int port() {
    return redis.port();
  }

  /** {@code redis://127.0.0.1:port}, without the password. */
  public String url() {
    return "redis://" + redis.host() + ":" + redis.port();
  }

  public String password() {
    return redis.password();
  }

  /** A new raw connection, logged in. */
  public RawRedis raw() {
    return RawRedis.to(port(), password());
  }

  /** The process id of the current redis-server. */
  public long pid() {
    return redis.pid();
  }

  /** {@code kill -9}. It restarts by itself; {@link #awaitAnswering} waits for that. */
  public void kill() {
    long pid = redis.pid();
    UnixSignals.send("KILL", pid);
    await().atMost(ANSWERS_WITHIN).pollInterval(Duration.ofMillis(5)).until(() -> !alive(pid));
  }

  /** Suspends it (SIGSTOP): connections stay, nothing is answered until {@link #thaw}. */
  public void freeze() {
    UnixSignals.send("STOP", redis.pid());
  }

  public void thaw() {
    UnixSignals.send("CONT", redis.pid());
  }

  public void awaitAnswering() {
    await().atMost(ANSWERS_WITHIN).pollInterval(Duration.ofMillis(20)).until(this::answers);
  }

  private static boolean alive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  private boolean answers() {
    if (!alive(pid())) {
      // It may already answer before its new process id is known.
      return false;
    }
    try (RawRedis client = raw()) {
      return client.call("PING").equals("PONG");
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    redis.close();
    directory.close();
  }
}
