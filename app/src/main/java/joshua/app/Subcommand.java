package joshua.app;

import joshua.kernel.Settings;

/**
 * A subcommand that uses the settings.
 *
 * <p>A class with picocli's {@code @Command}, and {@code @Option} and {@code @Parameters} of its
 * own if it has any, listed in {@link Main#subcommands}. The flags of all settings are added to it.
 */
public interface Subcommand {
  /**
   * Runs the subcommand.
   *
   * @return the exit status
   * @throws RequestRefusedException exit status 1
   * @throws ServiceUnavailableException exit status 69
   * @throws UsageException exit status 2
   * @throws Exception an internal error: exit status 70, logged with its stack trace
   */
  int run(Settings settings, ProcessEnvironment around) throws Exception;

  /** Whether it opens listeners, so that their settings must fit together. */
  default boolean listens() {
    return false;
  }

  /** Whether all words from the first non-option on are its own, whatever they look like. */
  default boolean takesTheRest() {
    return false;
  }
}
