package joshua.ssh;

import java.time.Duration;
import java.util.Optional;
import joshua.kernel.Pause;
import picocli.CommandLine.Option;

/**
 * A verb that shows the same report once, or with {@code -w} again and again until it is stopped:
 * redrawn on a terminal, else one report after the other, as JSON a line each.
 */
public abstract class LiveVerb extends Verb {
  private static final int DEFAULT_SECONDS = 2;
  private static final int MOST_SECONDS = 60;

  private final Pause pause;

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

  protected LiveVerb(Pause pause) {
    this.pause = pause;
  }

  /** What there is to be shown now. */
  protected abstract Report report(Access access) throws VerbFailed, InterruptedException;

  /**
   * Whether it goes on; a view that is there to be watched says yes wherever a person sees it
   * ({@link Screen#live}).
   */
  protected boolean watches(Screen screen) {
    return asked();
  }

  /** Whether the caller wrote that it shall go on. */
  protected final boolean asked() {
    return watch || every.isPresent();
  }

  @Override
  public final void run(Access access, Screen screen) throws VerbFailed, InterruptedException {
    int seconds = every.orElse(DEFAULT_SECONDS);
    if (seconds < 1 || seconds > MOST_SECONDS) {
      throw VerbFailed.misuse("--every must be 1 to %d seconds".formatted(MOST_SECONDS));
    }
    if (!watches(screen)) {
      screen.show(report(access));
      return;
    }
    while (!screen.gone()) {
      Report report = report(access);
      if (screen.live()) {
        screen.redraw(report.allLines());
      } else {
        screen.show(report);
      }
      pause.pause(Duration.ofSeconds(seconds));
    }
  }
}
