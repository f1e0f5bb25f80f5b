/** How many messages flow: by hour, by channel and by sender. */
@NullMarked
package joshua.rogers.traffic;

import org.jspecify.annotations.NullMarked;
