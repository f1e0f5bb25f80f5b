/**
 * The bounded queue of every client: what it subscribed to, what waits, what was dropped, who
 * polls.
 */
@NullMarked
package joshua.grace.queue;

import org.jspecify.annotations.NullMarked;
