package joshua.ssh;

import java.util.List;
import joshua.kernel.Role;
import picocli.CommandLine.Option;

/**
 * A command that admins can run on a MAD: a class with picocli's {@code @Command(name, description,
 * footer)}, the footer with an example, and its own {@code @Option} and {@code @Parameters}. A new
 * instance is made for each call (REQ-JS-03, +JS-07).
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

  /** The role that this call needs; called after options and parameters have been parsed. */
  public Role role() {
    return Role.VIEWER;
  }

  /**
   * Words of the call that only operators and admins may read in the audit log: text for others,
   * such as a prompt or a tool's input. Called after options and parameters have been parsed.
   */
  public List<String> withheld() {
    return List.of();
  }

  /**
   * Runs the verb on a thread of its own. An interrupt means that the caller has stopped it or has
   * gone.
   *
   * @throws VerbFailedException with the sentence to show
   */
  public abstract void run(AdminCaller adminCaller, CommandOutput commandOutput)
      throws VerbFailedException, InterruptedException;

  /**
   * Completions for the parameter at this position: existing ids, known words. A short list, at
   * most some hundred.
   *
   * @param before the parameters before it
   */
  public List<String> candidates(List<String> before, AdminCaller adminCaller) {
    return List.of();
  }
}
