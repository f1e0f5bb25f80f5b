/** What this relay counts: deliveries, and messages that nobody read and why. */
@NullMarked
package joshua.grace.meter;

import org.jspecify.annotations.NullMarked;
