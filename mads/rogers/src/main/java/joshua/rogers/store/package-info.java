/** What all tables share: the lock, SQL by name, what may be read, how long rows are kept. */
@NullMarked
package joshua.rogers.store;

import org.jspecify.annotations.NullMarked;
