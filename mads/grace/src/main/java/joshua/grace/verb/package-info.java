/** The verbs of the relay, for administrators. */
@NullMarked
package joshua.grace.verb;

import org.jspecify.annotations.NullMarked;
