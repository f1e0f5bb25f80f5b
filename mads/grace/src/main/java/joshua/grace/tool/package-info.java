/** The tools, the prompt and the resources of the relay. */
@NullMarked
package joshua.grace.tool;

import org.jspecify.annotations.NullMarked;
