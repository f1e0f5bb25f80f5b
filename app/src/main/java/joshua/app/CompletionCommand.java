package joshua.app;

import java.util.Iterator;
import java.util.List;
import joshua.kernel.Settings;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code joshua completion}: prints the shell script that completes the command line. */
@Command(
    name = "completion",
    description = "Print what makes bash complete joshua's commands, options and words.",
    footer = {"", "Example, for ~/.bashrc, too:", "  source <(./joshua completion bash)"})
final class CompletionCommand implements Subcommand {
  private static final String BASH = "bash";

  /** The shells that there is a script for. */
  static final class Shells implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of(BASH).iterator();
    }
  }

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "SHELL",
      completionCandidates = Shells.class,
      description = "bash; zsh reads the same script.")
  private @Nullable String shell;

  @Override
  public int run(Settings settings, ProcessEnvironment around) throws UsageException {
    if (!BASH.equals(shell) || spec == null) {
      throw new UsageException(List.of("SHELL must be bash: joshua completion bash"));
    }
    around.out().print(AutoComplete.bash("joshua", spec.root().commandLine()));
    return 0;
  }
}
