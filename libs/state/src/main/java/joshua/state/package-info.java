/** Durable state: one SQLite file, one writer, several readers. */
@NullMarked
package joshua.state;

import org.jspecify.annotations.NullMarked;
