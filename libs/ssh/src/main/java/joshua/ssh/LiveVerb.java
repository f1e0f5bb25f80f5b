package joshua.ssh;

import java.time.Duration;
import java.util.Optional;
import joshua.kernel.TimedWait;
import picocli.CommandLine.Option;

/**
 * A verb that shows a report once, or with {@code -w} repeatedly until it is stopped: redrawn on a
 * terminal, otherwise one report after the other, as JSON one per line.
 */
public abstract class LiveVerb extends Verb {
  private static final int DEFAULT_SECONDS = 2;
  private static final int MOST_SECONDS = 60;

  private final TimedWait timedWait;

  @Option(
      names = {"-w", "--watch"},
      description = "Show it again and again, until it is stopped.")
  private boolean watch;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      description =
          "Watch, and show it so often: 1 to " + MOST_SECONDS + ". Default: " + DEFAULT_SECONDS)
  private Optional<Integer> every = Optional.empty();

  protected LiveVerb(TimedWait timedWait) {
    this.timedWait = timedWait;
  }

  /** Returns the current report. */
  public abstract VerbReport report(AdminCaller adminCaller)
      throws VerbFailedException, InterruptedException;

  /**
   * Whether the report repeats; a view meant for watching returns true whenever a person sees it
   * ({@link CommandOutput#live}).
   */
  public boolean watches(CommandOutput commandOutput) {
    return asked();
  }

  /** Whether the caller asked for repetition. */
  protected final boolean asked() {
    return watch || every.isPresent();
  }

  @Override
  public final void run(AdminCaller adminCaller, CommandOutput commandOutput)
      throws VerbFailedException, InterruptedException {
    int seconds = every.orElse(DEFAULT_SECONDS);
    if (seconds < 1 || seconds > MOST_SECONDS) {
      throw VerbFailedException.misuse("--every must be 1 to %d seconds".formatted(MOST_SECONDS));
    }
    if (!watches(commandOutput)) {
      commandOutput.show(report(adminCaller));
      return;
    }
    while (!commandOutput.gone()) {
      VerbReport verbReport = report(adminCaller);
      if (commandOutput.live()) {
        commandOutput.redraw(verbReport.allLines());
      } else {
        commandOutput.show(verbReport);
      }
      timedWait.pause(Duration.ofSeconds(seconds));
    }
  }
}
