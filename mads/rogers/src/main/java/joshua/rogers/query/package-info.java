/** The questions that Rogers answers, and the SQL of each. */
@NullMarked
package joshua.rogers.query;

import org.jspecify.annotations.NullMarked;
