package joshua.app;

import joshua.kernel.Settings;

/**
 * A verb of the command line that goes by the settings.
 *
 * <p>A class with picocli's {@code @Command}, and {@code @Option} and {@code @Parameters} of its
 * own if it has any, listed in {@link Main#subcommands}. The flags of all settings are added to it.
 */
public interface Subcommand {
  /**
   * Does it.
   *
   * @return the exit status
   * @throws RequestRefusedException exit status 1
   * @throws ServiceUnavailableException exit status 69
   * @throws UsageException exit status 2
   * @throws Exception a mistake of ours: exit status 70, logged with its stack trace
   */
  int run(Settings settings, ProcessEnvironment around) throws Exception;

  /** Whether it opens listeners, so that their settings must fit together. */
  default boolean listens() {
    return false;
  }

  /** Whether all words from the first that is no option on are its own, whatever they look like. */
  default boolean takesTheRest() {
    return false;
  }
}
