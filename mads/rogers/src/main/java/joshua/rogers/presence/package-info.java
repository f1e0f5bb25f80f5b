/** Who is connected: heartbeats, states, and the table of participants. */
@NullMarked
package joshua.rogers.presence;

import org.jspecify.annotations.NullMarked;
