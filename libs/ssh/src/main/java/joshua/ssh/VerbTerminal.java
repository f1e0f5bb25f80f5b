package joshua.ssh;

import java.io.PrintStream;

/** The terminal of a person, who has a name on the bus; it has 0 columns where it is none. */
public record VerbTerminal(
    PrintStream out, PrintStream err, int columns, boolean coloured, String person) {}
