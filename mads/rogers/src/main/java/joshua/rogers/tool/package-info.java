/** The tools and resources of Rogers, and its metrics. */
@NullMarked
package joshua.rogers.tool;

import org.jspecify.annotations.NullMarked;
