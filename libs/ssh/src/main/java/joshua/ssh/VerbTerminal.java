package joshua.ssh;

import java.io.PrintStream;

/**
 * Where a verb writes.
 *
 * @param columns the width of the terminal; 0 where there is none, and nothing is cut
 */
public record VerbTerminal(PrintStream out, PrintStream err, int columns) {}
