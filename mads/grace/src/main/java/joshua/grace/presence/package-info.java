/** Who is on the bus, whom a message would reach, and what this relay reports to Rogers. */
@NullMarked
package joshua.grace.presence;

import org.jspecify.annotations.NullMarked;
