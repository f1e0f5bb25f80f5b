/** The Redis that a start without any Redis brings along. */
@NullMarked
package joshua.redis;

import org.jspecify.annotations.NullMarked;
