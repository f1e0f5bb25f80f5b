package joshua.app.settings;

import java.io.PrintWriter;
import joshua.kernel.Identifiers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command of this program, in whose process it runs. */
@Command(mixinStandardHelpOptions = true)
public abstract class ConsoleCommand {
  @Spec private CommandSpec spec;

  protected final CommandSpec spec() {
    return spec;
  }

  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  protected final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Refuses what can't be a name on the bus. */
  protected final void requireName(String parameter, String text) {
    if (!Identifiers.isName(text)) {
      throw wrong("%s %s.".formatted(parameter, Identifiers.NAME_RULE));
    }
  }

  /** It was called in a way that makes no sense. */
  protected final ParameterException wrong(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }
}
