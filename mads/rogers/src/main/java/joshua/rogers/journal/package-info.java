/** The journal of messages, cut to size, and the exchanges in it. */
@NullMarked
package joshua.rogers.journal;

import org.jspecify.annotations.NullMarked;
