package joshua.app;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;

/**
 * The environment of a process: variables, directories, output.
 *
 * @param home what defaults and the settings file are relative to: Joshua's own directory
 * @param workingDirectory what paths in flags and in the environment are relative to
 * @param out for answers
 * @param err for everything else
 * @param terminal whether {@code err} is read by a person
 * @param screen whether {@code out} is a terminal, on which something can be redrawn
 */
public record ProcessEnvironment(
    Map<String, String> environment,
    Path home,
    Path workingDirectory,
    PrintStream out,
    PrintStream err,
    boolean terminal,
    boolean screen) {

  /** Set by the launcher, which knows its own location and what its output is. */
  private static final String HOME = "joshua.home";

  private static final String TERMINAL = "joshua.terminal";
  private static final String SCREEN = "joshua.screen";

  static ProcessEnvironment ofThisProcess() {
    Path here = Path.of("").toAbsolutePath();
    return new ProcessEnvironment(
        System.getenv(),
        here.resolve(System.getProperty(HOME, "")).normalize(),
        here,
        System.out,
        System.err,
        Boolean.getBoolean(TERMINAL),
        Boolean.getBoolean(SCREEN));
  }
}
