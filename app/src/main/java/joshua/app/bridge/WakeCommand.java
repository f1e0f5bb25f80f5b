package joshua.app.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import joshua.app.settings.ConsoleCommand;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.PrivateFile;
import joshua.kernel.Timestamps;
import joshua.kernel.UnicodeText;
import joshua.network.RemoteService;
import joshua.network.RemoteService.NotServedException;
import joshua.ssh.ExitStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code wake}: the runner of a name, which runs a command each time that its agent is to be woken,
 * on the machine of that agent. What to run is said here alone, never by the bus.
 */
@Command(
    name = "wake",
    description =
        "Runs a command whenever messages wait for a name and no session of it is there. {text} in"
            + " the command is what to tell the agent: numbers and names, no content.",
    exitCodeOnInvalidInput = ExitStatus.USAGE)
public final class WakeCommand extends ConsoleCommand implements Callable<Integer> {
  /** The environment variable of a command that has the number of its wake. */
  static final String WAKE_ID = "JOSHUA_WAKE_ID";

  private static final String TOOL = "dewey_wake";
  private static final String RUNNING = "running";
  private static final int WAIT_MS = 25_000;
  private static final int REPORT_SECONDS = 20;
  private static final int MAX_SECONDS = 600;
  private static final int STOP_SECONDS = 2;
  private static final int MAX_DETAIL = 500;
  private static final int RETRY_MS = 2_000;
  private static final int JUST_NOW_SECONDS = 20;
  private static final int BUSY = 75; // EX_TEMPFAIL
  private static final int MAX_TRIES = 3;

  @Mixin private ServiceOptions options;

  @Parameters(index = "0", paramLabel = "NAME", description = "Who is woken.")
  private String name;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "Without a shell; status 0: it had its turn, 75: ask again in 5 s.")
  private List<String> command;

  @Option(
      names = "--else",
      paramLabel = "COMMAND",
      description = "For sh, at the third try; it has the text in $JOSHUA_WAKE_TEXT.")
  private @Nullable String otherwise;

  @Option(
      names = "--attention",
      paramLabel = "WHICH",
      description = "What wakes: all, direct (no posts of threads), or none.")
  private @Nullable String attention;

  @Option(
      names = "--quiet-until",
      paramLabel = "TIME",
      description = "Nothing wakes before: 2026-01-31T08:00:00Z.")
  private @Nullable Instant quietUntil;

  @Option(names = "--grace-url", paramLabel = "URL", description = "Where Grace is, with --url.")
  private @Nullable URI graceUrl;

  private final CountDownLatch never = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile @Nullable WakeProcess running;
  private volatile boolean isStopping;
  private @Nullable String paused; // what was last said of that
  private Instant ended = Instant.EPOCH; // the last turn, whose polls are no other session's

  @Override
  public Integer call() throws IOException, InterruptedException {
    requireName("NAME", name);
    Path logs = options.dataDirectory().resolve("logs");
    try {
      PrivateFile.createDirectories(logs);
    } catch (IOException e) {
      throw new IOException("%s can't be made (%s): name a --data-dir.".formatted(logs, e), e);
    }
    Path files = logs.resolve("wake-" + name);
    Runtime.getRuntime().addShutdownHook(new Thread(this::stop));
    RemoteService dewey = options.service("dewey", "");
    Optional<RemoteService> grace = options.second("grace", graceUrl);
    ObjectNode registration =
        self()
            .put("attention", attention)
            .put("quiet_until", quietUntil == null ? null : Timestamps.format(quietUntil));
    call(dewey, registration);
    say("Waits for messages for %s.".formatted(name));
    while (true) {
      awaitEarlier(files);
      JsonNode answer = call(dewey, self().put("wait_ms", WAIT_MS));
      if (answer.path("wake").isObject()) {
        JsonNode wake = answer.path("wake");
        boolean isThere = grace.isPresent() && isThere(grace.get());
        String outcome = isThere ? "there" : outcome(dewey, wake, files);
        report(dewey, wake, outcome);
        if (outcome.startsWith("failed") && wake.path("tries").asInt() >= MAX_TRIES) {
          say("Wake %s is dead: %s.".formatted(wake.path("wake_id"), outcome));
        }
      }
    }
  }

  private ObjectNode self() {
    return Json.object().put("client_id", name);
  }

  private void say(String line) {
    out().println("%s %s".formatted(Timestamps.format(Instant.now()), line));
    out().flush();
  }

  /** Calls Dewey, again while it is away. */
  private JsonNode call(RemoteService dewey, ObjectNode input)
      throws IOException, InterruptedException {
    Optional<JsonNode> answer = dewey.callIfThere(TOOL, input);
    while (answer.isEmpty()) {
      var _ = never.await(RETRY_MS, TimeUnit.MILLISECONDS);
      answer = dewey.callIfThere(TOOL, input);
    }
    String reason = answer.get().path("paused").textValue();
    if (reason != null && !reason.equals(paused)) {
      say(
          "The wakes of %s are paused: %s. joshua wake-again %1$s resumes them."
              .formatted(name, reason));
    }
    paused = reason;
    return answer.get();
  }

  /** Waits until what a runner that was killed has started ends, as long as that may take. */
  private void awaitEarlier(Path files) throws IOException {
    WakeProcess.find(files)
        .ifPresent(earlier -> {
          say("Waits for the end of process %d, of an earlier runner.".formatted(earlier.pid()));
          Instant end = WakeProcess.began(earlier).plusSeconds(MAX_SECONDS);
          long left = Instant.now().until(end, ChronoUnit.SECONDS);
          earlier.onExit().completeOnTimeout(earlier, left, TimeUnit.SECONDS).join();
          WakeProcess.end(earlier, Set.of());
        });
  }

  /** Whether a session of the name polls, or is woken by itself. */
  private boolean isThere(RemoteService grace) throws InterruptedException {
    try {
      JsonNode client = grace.call("grace_await", self().put("look", true));
      Instant polled = Timestamps.parse(client.path("last_poll_at").asText());
      Instant justNow = Instant.now().minusSeconds(JUST_NOW_SECONDS);
      return client.path("told").asBoolean()
          || (polled != null && polled.isAfter(justNow) && polled.isAfter(ended));
    } catch (IOException e) {
      return true; // nobody could collect now
    }
  }

  /** Tells what an attempt has come to; false if another has begun since. */
  private boolean report(RemoteService dewey, JsonNode wake, String outcome)
      throws IOException, InterruptedException {
    String[] parts = outcome.split(": ", 2);
    ObjectNode input = self();
    input
        .putObject("report")
        .put("wake_id", wake.path("wake_id").asLong())
        .put("attempt", wake.path("attempt").asInt())
        .put("outcome", parts[0])
        .put("detail", parts.length == 2 ? UnicodeText.truncate(parts[1], MAX_DETAIL) : null);
    try {
      if (outcome.equals(RUNNING)) {
        var _ = dewey.callIfThere(TOOL, input); // the next one is soon
      } else {
        call(dewey, input);
      }
      return true;
    } catch (NotServedException e) {
      if (e.refusal.code() == ErrorCode.CONFLICT) {
        return false;
      }
      throw e;
    }
  }

  /** Runs the command for a wake: {@code ended}, {@code busy} or {@code failed: why}. */
  private String outcome(RemoteService dewey, JsonNode wake, Path files)
      throws IOException, InterruptedException {
    String text = wake.path("text").asText();
    List<String> words =
        otherwise != null && wake.path("tries").asInt() >= MAX_TRIES
            ? List.of("sh", "-c", otherwise)
            : command.stream().map(word -> word.replace("{text}", text)).toList();
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().put(WAKE_ID, wake.path("wake_id").asText());
    builder.environment().put("JOSHUA_WAKE_TEXT", text);
    say("Wake %s, try %s of %d.".formatted(wake.path("wake_id"), wake.path("tries"), MAX_TRIES));
    WakeProcess process;
    try {
      process = start(builder, files);
    } catch (IOException e) {
      return "failed: " + e.getMessage();
    }
    try (process) {
      Instant end = Instant.now().plusSeconds(MAX_SECONDS);
      for (int seconds = 1; Instant.now().isBefore(end); seconds++) {
        Optional<Integer> status = process.awaitStatus(1);
        if (isStopping) {
          report(dewey, wake, "stopped");
          stopped.countDown();
          never.await();
        } else if (status.isPresent()) {
          return outcome(status.get(), process.lastLine());
        } else if (seconds % REPORT_SECONDS == 0 && !report(dewey, wake, RUNNING)) {
          return "ended"; // nobody waits for it
        }
      }
      return "failed: it took longer than %d s: %s".formatted(MAX_SECONDS, process.lastLine());
    } finally {
      ended = Instant.now();
      running = null;
    }
  }

  private static String outcome(int status, String lastLine) {
    return switch (status) {
      case 0 -> "ended";
      case BUSY -> "busy";
      default -> "failed: status " + status + (lastLine.isEmpty() ? "" : ": " + lastLine);
    };
  }

  private synchronized WakeProcess start(ProcessBuilder builder, Path files) throws IOException {
    if (isStopping) {
      throw new IOException("the runner ends");
    }
    WakeProcess process = WakeProcess.start(builder, files, System.out);
    running = process;
    return process;
  }

  private void stop() {
    WakeProcess process;
    synchronized (this) {
      isStopping = true;
      process = running;
    }
    if (process != null) {
      process.end();
      try {
        var _ = stopped.await(STOP_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        // then nobody is told that it was stopped
      }
    }
  }
}
