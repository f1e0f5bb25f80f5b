package joshua.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A redis-server and its watchdog, in a process group of their own.
 *
 * <p>Ctrl-C in a terminal goes to every process of the foreground group; Redis is outside of it and
 * so lives until the bus has sent its leave messages. The watchdog stops Redis when this JVM is
 * gone. Guarded by {@code lock}: the last lines of output.
 */
final class RedisProcess {
  private static final Logger log = LoggerFactory.getLogger(RedisProcess.class);
  private static final int KEPT_LINES = 20;
  private static final long STOP_SECONDS = 4;
  private static final String PID_LINE = "watchdog: redis-server is process ";

  private final Process watchdog;
  private final Thread reader;
  private final CompletableFuture<Long> pid = new CompletableFuture<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<String> lastLines = new ArrayDeque<>();

  private RedisProcess(Process watchdog) {
    this.watchdog = watchdog;
    // A platform thread: a read from a pipe holds on to its carrier.
    this.reader = Thread.ofPlatform().daemon().name("redis-output").unstarted(this::readOutput);
  }

  /**
   * Starts a program.
   *
   * @param stackKib how large its stack may grow, if this process' own limit allows that
   */
  static RedisProcess start(Path binary, Path conf, Path workingDirectory, int stackKib)
      throws IOException {
    List<String> command = new ArrayList<>(ownProcessGroup());
    command.addAll(List.of("sh", "-c", script(), "joshua-watchdog"));
    command.addAll(List.of(binary.toString(), conf.toString(), Integer.toString(stackKib)));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.directory(workingDirectory.toFile());
    Map<String, String> environment = builder.environment();
    String path = environment.getOrDefault("PATH", "/usr/bin:/bin");
    environment.clear(); // Redis doesn't need our secrets.
    environment.put("PATH", path);
    RedisProcess process = new RedisProcess(builder.start());
    process.reader.start();
    return process;
  }

  private static String script() throws IOException {
    try (InputStream in = RedisProcess.class.getResourceAsStream("watchdog.sh")) {
      if (in == null) {
        throw new IOException("watchdog.sh is missing in this build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static List<String> ownProcessGroup() {
    ExecutablePath path = ExecutablePath.ofThisProcess();
    if (path.find("setsid").isPresent()) {
      return List.of("setsid");
    }
    return path.find("perl").isPresent()
        ? List.of("perl", "-e", "setpgrp(0, 0); exec @ARGV or die $!")
        : List.of();
  }

  private void readOutput() {
    try (BufferedReader lines = watchdog.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(PID_LINE)) {
          pid.complete(Long.parseLong(line.substring(PID_LINE.length())));
        } else {
          keep(line);
          log.debug("redis: {}", line);
        }
      }
    } catch (IOException e) {
      log.debug("the output of Redis can't be read any more", e);
    }
  }

  private void keep(String line) {
    lock.lock();
    try {
      if (lastLines.size() == KEPT_LINES) {
        lastLines.removeFirst();
      }
      lastLines.addLast(line);
    } finally {
      lock.unlock();
    }
  }

  /** The last lines that Redis wrote, {@value #KEPT_LINES} at most. */
  List<String> lastLines() {
    lock.lock();
    try {
      return List.copyOf(lastLines);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether it ended because its binary was still open for writing: a process that this JVM started
   * on another thread while the binary was unpacked inherits that, for a moment.
   */
  boolean binaryWasBusy() {
    return lastLines().stream().anyMatch(line -> line.contains("Text file busy"));
  }

  /** The process id of redis-server; 0 until the watchdog has reported it. */
  long pid() {
    return pid.getNow(0L);
  }

  boolean alive() {
    return watchdog.isAlive();
  }

  void awaitExit() throws InterruptedException {
    watchdog.waitFor();
  }

  /**
   * Closes the pipe that the watchdog reads, and waits until both processes are gone and their
   * output has been read.
   */
  void stop() {
    try {
      watchdog.getOutputStream().close();
    } catch (IOException e) {
      log.debug("the pipe to the watchdog was closed already", e);
    }
    Optional<ProcessHandle> redis =
        Optional.of(pid()).filter(id -> id > 0).flatMap(ProcessHandle::of);
    boolean gone = awaitGone(watchdog.toHandle());
    redis.ifPresent(handle -> {
      if (!gone || !awaitGone(handle)) {
        handle.destroyForcibly();
      }
    });
    if (gone) {
      awaitWhatItSaid();
    }
    // Closes the pipe, too, with whatever is in it.
    watchdog.destroyForcibly();
  }

  private void awaitWhatItSaid() {
    try {
      reader.join(Duration.ofSeconds(STOP_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean awaitGone(ProcessHandle handle) {
    try {
      handle.onExit().get(STOP_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
      return false;
    }
  }
}
