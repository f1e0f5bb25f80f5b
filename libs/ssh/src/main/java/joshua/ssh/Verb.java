package joshua.ssh;

import java.util.List;
import joshua.kernel.Role;
import picocli.CommandLine.Option;

/**
 * One thing that admins can have a MAD do: a class with picocli's {@code @Command(name,
 * description, footer)}, the footer with an example, and {@code @Option} and {@code @Parameters} of
 * its own. Made anew for each call (REQ-JS-03, +JS-07).
 */
public abstract class Verb {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table or json. Default: table")
  private OutputFormat format = OutputFormat.TABLE;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Say what this does, and end.")
  @SuppressWarnings("UnusedVariable") // Picocli asks whether it was given.
  private boolean help;

  final OutputFormat format() {
    return format;
  }

  /** What is needed for what was asked; asked when options and parameters have been read. */
  public Role role() {
    return Role.VIEWER;
  }

  /**
   * Words of the call that only operators and admins may read in the audit: what is said to others,
   * such as a prompt or the input of a tool. Asked when options and parameters have been read.
   */
  public List<String> withheld() {
    return List.of();
  }

  /**
   * Does it, on a thread of its own. Being interrupted means that whoever asked has stopped it or
   * has gone.
   *
   * @throws VerbFailedException with the sentence to show
   */
  public abstract void run(AdminCaller adminCaller, CommandOutput commandOutput)
      throws VerbFailedException, InterruptedException;

  /**
   * What may stand as the parameter of this position, for completion: ids that exist now, words
   * that are understood. Short, at most some hundred.
   *
   * @param before the parameters before it
   */
  public List<String> candidates(List<String> before, AdminCaller adminCaller) {
    return List.of();
  }
}
