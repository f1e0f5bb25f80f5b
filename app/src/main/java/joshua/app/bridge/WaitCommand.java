package joshua.app.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import joshua.app.settings.ConsoleCommand;
import joshua.kernel.Json;
import joshua.kernel.MonotonicIds;
import joshua.network.RemoteService;
import joshua.ssh.ExitStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code wait}: ends when a client of the relay is to be told that messages wait for it. Clients
 * show what a hook says that ends with status {@value #WAKES}, so nothing else ends so.
 */
@Command(
    name = "wait",
    description =
        "Waits for messages for a name; then it says so on standard error, with status 2.",
    exitCodeOnInvalidInput = ExitStatus.USAGE_OF_HOOK)
public final class WaitCommand extends ConsoleCommand implements Callable<Integer> {
  private static final int WAKES = 2;
  private static final int ROUND_MS = 60_000;
  private static final int LOOK_EVERY_MS = 2_000;
  private static final int PAUSE_MS = 250;

  @Mixin private ServiceOptions options;

  @Parameters(paramLabel = "NAME", description = "Whose messages.")
  private String name;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "Ends then with status 0; 0: looks once.")
  private @Nullable Integer timeoutSeconds;

  private final CountDownLatch never = new CountDownLatch(1);

  @Override
  public Integer call() throws IOException, InterruptedException {
    requireName("NAME", name);
    if (System.getenv(WakeCommand.WAKE_ID) != null) {
      return ExitStatus.OK; // a hook in a turn of a runner, which tells of what comes later
    }
    ParentProcess parent = new ParentProcess();
    RemoteService grace = options.service("grace", "");
    FutureTask<Integer> rounds = new FutureTask<>(() -> rounds(grace));
    Thread.ofPlatform().daemon().name("wait").start(rounds);
    while (!parent.hasEnded()) {
      try {
        return rounds.get(LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        // it still waits
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException failure) {
          throw failure;
        }
        throw new IllegalStateException(e.getCause());
      }
    }
    return ExitStatus.OK;
  }

  private int rounds(RemoteService grace) throws IOException, InterruptedException {
    ObjectNode input = Json.object().put("client_id", name);
    if (timeoutSeconds == null || timeoutSeconds > 0) { // whoever only looks ends nobody's wait
      input.put("holder", new MonotonicIds(InstantSource.system()).next().toString());
    }
    long began = System.nanoTime();
    while (true) {
      long left =
          timeoutSeconds == null
              ? ROUND_MS
              : timeoutSeconds * 1_000L - (System.nanoTime() - began) / 1_000_000;
      input.put("wait_ms", Math.clamp(left, 0, ROUND_MS));
      JsonNode answer = grace.callIfThere("grace_await", input).orElseGet(Json::object);
      if (answer.path("due").asBoolean()) {
        err().println(Notice.of(name, answer));
        return WAKES;
      }
      if (left <= 0 || answer.path("superseded").asBoolean()) {
        return ExitStatus.OK;
      }
      var _ = never.await(PAUSE_MS, TimeUnit.MILLISECONDS);
    }
  }
}
