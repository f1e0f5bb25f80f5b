package joshua.ssh;

import java.io.PrintStream;

/**
 * The terminal of somebody who runs a verb.
 *
 * @param columns 0 where there is none, so that nothing is cut or wrapped
 * @param coloured whether it shows colours, and they are wanted
 * @param person the name on the bus of who sits there
 */
public record VerbTerminal(
    PrintStream out, PrintStream err, int columns, boolean coloured, String person) {}
