/**
 * What Rogers takes from the bus: every message, counted in tables that don't grow, without holding
 * up the bus.
 */
@NullMarked
package joshua.rogers.tap;

import org.jspecify.annotations.NullMarked;
