/** The command line: its subcommands, where settings come from, logging, start and stop. */
@NullMarked
package joshua.app;

import org.jspecify.annotations.NullMarked;
