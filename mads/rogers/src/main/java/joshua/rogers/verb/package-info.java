/** The verbs of Rogers, for administrators. */
@NullMarked
package joshua.rogers.verb;

import org.jspecify.annotations.NullMarked;
