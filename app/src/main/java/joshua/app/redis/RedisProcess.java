package joshua.app.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import joshua.state.Classpath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A redis-server and its watchdog, in a process group of their own.
 *
 * <p>Ctrl-C in a terminal goes to every process of the foreground group; Redis is outside of it and
 * so lives until the bus has sent its leave messages. The watchdog stops Redis when this JVM is
 * gone.
 */
final class RedisProcess {
  private static final Logger log = LoggerFactory.getLogger(RedisProcess.class);
  private static final int KEPT_LINES = 20;
  private static final long STOP_SECONDS = 4;
  private static final String PID_LINE = "watchdog: redis-server is process ";

  /** What matching the most deeply nested pattern of one command takes (CVE-2024-31228). */
  private static final int STACK_KIB = 512 * 1024;

  private final Process watchdog;
  private final CompletableFuture<Long> pid = new CompletableFuture<>();
  private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
  private final Queue<String> lastLines = new ConcurrentLinkedQueue<>();

  private RedisProcess(Process watchdog) {
    this.watchdog = watchdog;
  }

  static RedisProcess start(Path program, Path conf, Path workingDirectory) throws IOException {
    List<String> command = new ArrayList<>(ownProcessGroup());
    command.addAll(
        List.of("sh", "-c", Classpath.read(RedisProcess.class, "watchdog.sh"), "joshua-watchdog"));
    command.addAll(List.of(program.toString(), conf.toString(), Integer.toString(STACK_KIB)));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.directory(workingDirectory.toFile());
    Map<String, String> environment = builder.environment();
    String path = environment.getOrDefault("PATH", "/usr/bin:/bin");
    environment.clear(); // Redis doesn't need our secrets.
    environment.put("PATH", path);
    RedisProcess process = new RedisProcess(builder.start());
    // A platform thread: a read from a pipe holds on to its carrier.
    Thread.ofPlatform().daemon().name("redis-output").start(process::readOutput);
    return process;
  }

  private static List<String> ownProcessGroup() {
    if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
      return List.of("/usr/bin/setsid");
    }
    return Files.isExecutable(Path.of("/usr/bin/perl"))
        ? List.of("/usr/bin/perl", "-e", "setpgrp(0, 0); exec @ARGV or die $!")
        : List.of();
  }

  private void readOutput() {
    try (BufferedReader lines = watchdog.inputReader(StandardCharsets.UTF_8)) {
      boolean accepts = false;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(PID_LINE)) {
          pid.complete(Long.parseLong(line.substring(PID_LINE.length())));
        } else {
          lastLines.add(line);
          if (lastLines.size() > KEPT_LINES) {
            lastLines.remove();
          }
          log.debug("redis: {}", line);
          accepts |= line.contains("Ready to accept connections");
        }
        // Two processes write here: Redis may be faster than who tells its process id.
        if (accepts && pid.isDone()) {
          ready.complete(true);
        }
      }
    } catch (IOException e) {
      log.debug("the output of Redis can't be read any more", e);
    }
    ready.complete(false);
  }

  /** Waits until it accepts connections; false if it ended, or doesn't come that far in time. */
  boolean awaitReady(long withinSeconds) {
    return ready.completeOnTimeout(false, withinSeconds, TimeUnit.SECONDS).join();
  }

  /** The last lines that it wrote, {@value #KEPT_LINES} at most. */
  String whatItSaid() {
    return String.join(" | ", lastLines);
  }

  /** The process id of redis-server; 0 before it is ready. */
  long pid() {
    return pid.getNow(0L);
  }

  /** Waits for its end; the result is its status. */
  int awaitExit() throws InterruptedException {
    return watchdog.waitFor();
  }

  /** Closes the pipe that the watchdog reads, and waits until both processes are gone. */
  void stop() {
    try {
      watchdog.getOutputStream().close();
    } catch (IOException e) {
      log.debug("the pipe to the watchdog was closed already", e);
    }
    Optional<ProcessHandle> redis =
        Optional.of(pid()).filter(id -> id > 0).flatMap(ProcessHandle::of);
    if (!hasGone(watchdog.toHandle()) || redis.filter(handle -> !hasGone(handle)).isPresent()) {
      redis.ifPresent(ProcessHandle::destroyForcibly);
    }
    watchdog.destroyForcibly();
  }

  private static boolean hasGone(ProcessHandle handle) {
    return handle
        .onExit()
        .thenApply(gone -> true)
        .completeOnTimeout(false, STOP_SECONDS, TimeUnit.SECONDS)
        .join();
  }
}
