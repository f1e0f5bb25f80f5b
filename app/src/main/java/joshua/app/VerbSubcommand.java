package joshua.app;

import joshua.kernel.Settings;
import picocli.CommandLine.Mixin;

/** A subcommand that a running MAD carries out, by one of its own commands. */
abstract class VerbSubcommand implements Subcommand {
  @Mixin private FormatOption format = new FormatOption();

  /** Whether a program reads the answer. */
  final boolean json() {
    return format.json();
  }

  /** The name of the MAD; asked when options and parameters have been read. */
  abstract String mad(Settings settings) throws UsageException;

  /** The MAD's command and its arguments, without the format. */
  abstract VerbWords words() throws UsageException;

  @Override
  public int run(Settings settings, ProcessEnvironment around) throws Exception {
    VerbWords words = words().option("-o", format.json() ? "json" : null);
    return new RemoteVerb(settings, around).run(mad(settings), words.list());
  }
}
