package joshua.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A real Redis for tests: a process on a free port of loopback, with a password and without
 * persistence. Tests that disturb it use their own; the others share one.
 *
 * <p>A shell between this JVM and Redis ends with Redis, and ends Redis when this JVM is gone, even
 * if killed: it then reads the end of its standard input.
 */
public final class RedisServer implements AutoCloseable {
  private static final String GUARD_SCRIPT =
      """
      exec 3<&0
      "$@" </dev/null 3<&- &
      redis=$!
      { cat >/dev/null; kill -9 $redis; } <&3 3<&- >/dev/null &
      echo $redis
      exec 3<&-
      wait $redis
      kill $!
      """;

  private final Path program;
  private final List<String> options;
  private final Path log;
  private final int port = FreePort.next();
  private final String password = UUID.randomUUID().toString();

  private Process guard;
  private long pid;

  private RedisServer(Path program, List<String> options) throws IOException {
    this.program = program;
    this.options = options;
    this.log = Files.createTempFile("joshua-test-redis-", ".log");
    launch();
  }

  /**
   * Starts a Redis, and returns when it answers.
   *
   * @param program a redis-server of version 7 or newer
   * @param options further settings, {@code --appendonly yes} for instance
   */
  public static RedisServer start(Path program, String... options) {
    try {
      return new RedisServer(program, List.of(options));
    } catch (IOException e) {
      throw new UncheckedIOException("can't start " + program, e);
    }
  }

  private void launch() throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", GUARD_SCRIPT, "redis-guard"));
    command.addAll(List.of(program.toString(), "--bind", "127.0.0.1"));
    command.addAll(List.of("--port", Integer.toString(port), "--requirepass", password));
    command.addAll(List.of("--save", "", "--logfile", log.toString()));
    command.addAll(List.of("--client-output-buffer-limit", "pubsub 256mb 64mb 60"));
    command.addAll(options);
    guard = new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile())).start();
    String line = guard.inputReader().readLine();
    if (line == null) {
      throw new IOException("Redis ended at once:\n" + logged());
    }
    pid = Long.parseLong(line);
    Await.until("Redis answers on port " + port, this::answers);
  }

  public int port() {
    return port;
  }

  public String password() {
    return password;
  }

  /** {@code redis://127.0.0.1:port}, without the password. */
  public String url() {
    return "redis://127.0.0.1:" + port;
  }

  /** A new raw connection, logged in. */
  public RawRedis connect() {
    return RawRedis.connect(port, password);
  }

  /** {@code kill -9}, and returns when it is gone. */
  public void kill() {
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    awaitEnd();
  }

  /** Starts it again after {@link #kill}, on the same port with the same password. */
  public void restart() {
    try {
      launch();
    } catch (IOException e) {
      throw new UncheckedIOException("can't start " + program, e);
    }
  }

  private boolean answers() {
    if (!guard.isAlive()) {
      throw new AssertionError("Redis ended:\n" + logged());
    }
    try (RawRedis client = connect()) {
      return client.call("PING").equals("PONG");
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  private String logged() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return "its log can't be read: " + e;
    }
  }

  private void awaitEnd() {
    Await.until("Redis on port " + port + " ends", () -> !guard.isAlive());
  }

  @Override
  public void close() {
    try {
      guard.getOutputStream().close();
      awaitEnd();
      Files.deleteIfExists(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
