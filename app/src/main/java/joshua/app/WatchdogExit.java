package joshua.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import joshua.kernel.Json;
import joshua.kernel.ProcessWatchdog;
import joshua.kernel.TextExcerpt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process for the watchdog: with the reason on standard error, in the file {@value #FILE}
 * and in the log, and with exit status {@value #EXIT_STATUS}.
 *
 * <p>Both of its threads are started beforehand, since by then it may be impossible to start one.
 * One reports the reason; the other halts the process after that, or after {@link #WITHIN}: the
 * reader of standard error may be stuck as well, and so may the disk.
 */
final class WatchdogExit implements ProcessWatchdog.Ending {
  /** The status that {@code sysexits.h} defines for a failure that may go away if tried again. */
  static final int EXIT_STATUS = 75;

  /** In the data directory; the next start reports it, and deletes it. */
  static final String FILE = "last-end.json";

  static final Duration WITHIN = Duration.ofSeconds(1);
  private static final int LONGEST_REASON = 500;
  private static final Logger log = LoggerFactory.getLogger(WatchdogExit.class);

  private record End(String reason, @Nullable Throwable cause) {}

  private final Path file;
  private final AtomicReference<@Nullable End> end = new AtomicReference<>();
  private final CountDownLatch due = new CountDownLatch(1);
  private final CountDownLatch said = new CountDownLatch(1);

  private WatchdogExit(Path file) {
    this.file = file;
  }

  /** Ready from now on, for a process that uses that data directory. */
  static WatchdogExit in(Path dataDirectory) {
    WatchdogExit words = new WatchdogExit(dataDirectory.resolve(FILE));
    Thread.ofPlatform().daemon().name("last-words").start(words::say);
    Thread.ofPlatform().daemon().name("process-end").start(words::halt);
    return words;
  }

  @Override
  public void end(String reason, @Nullable Throwable cause) {
    if (end.compareAndSet(null, new End(reason, cause))) {
      due.countDown();
    }
  }

  private void say() {
    try {
      due.await();
      End why = end.get();
      if (why != null) {
        say(why);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      said.countDown();
    }
  }

  private void say(End why) {
    String reason = TextExcerpt.of(why.reason().replaceAll("\\s+", " "), LONGEST_REASON);
    try (FileOutputStream stderr = new FileOutputStream(FileDescriptor.err)) {
      stderr.write(
          "joshua: ended by its watchdog: %s\n".formatted(reason).getBytes(StandardCharsets.UTF_8));
      Files.writeString(
          file,
          Json.write(
                  Json.object()
                      .put("at", Instant.now().toString())
                      .put("pid", ProcessHandle.current().pid())
                      .put("exit_status", EXIT_STATUS)
                      .put("reason", reason))
              + "\n");
    } catch (IOException e) {
      log.warn("the reason of the end can't be written", e);
    }
    if (why.cause() != null) {
      log.error("what the watchdog ended the process for", why.cause());
    }
  }

  private void halt() {
    try {
      due.await();
      var _ = said.await(WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      Runtime.getRuntime().halt(EXIT_STATUS);
    }
  }

  /**
   * Logs how the process before this one ended, if its watchdog ended it.
   *
   * @return whether it did
   */
  static boolean tellOfTheLast(Path dataDirectory) {
    Path file = dataDirectory.resolve(FILE);
    if (!Files.exists(file)) {
      return false;
    }
    try {
      JsonNode told = Json.parse(Files.readAllBytes(file));
      log.warn(
          "the process before this one was ended by its watchdog at {}: {}",
          told.path("at").asText(),
          told.path("reason").asText());
      Files.delete(file);
    } catch (IOException | Json.MalformedJsonException e) {
      log.warn("{} can't be read", file, e);
    }
    return true;
  }
}
