package joshua.ssh;

import java.io.PrintStream;

/** The terminal of a verb; with 0 columns there is none, and nothing is cut. */
public record VerbTerminal(PrintStream out, PrintStream err, int columns) {}
