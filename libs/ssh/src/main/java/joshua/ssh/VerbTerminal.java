package joshua.ssh;

import java.io.PrintStream;

/**
 * The terminal of a verb.
 *
 * @param columns its width; 0 where there is none, and nothing is cut
 * @param person the name on the bus of whoever sits at it
 */
public record VerbTerminal(
    PrintStream out, PrintStream err, int columns, boolean coloured, String person) {}
