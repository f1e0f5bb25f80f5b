/** Tasks in SQLite: their rows, their leases, their streamed text, their history. */
@NullMarked
package joshua.tasks.store;

import org.jspecify.annotations.NullMarked;
