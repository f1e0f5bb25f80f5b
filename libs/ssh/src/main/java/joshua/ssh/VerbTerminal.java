package joshua.ssh;

import java.io.PrintStream;

/** Where a verb writes; columns are 0 where there is no terminal, and nothing is cut. */
public record VerbTerminal(PrintStream out, PrintStream err, int columns) {}
