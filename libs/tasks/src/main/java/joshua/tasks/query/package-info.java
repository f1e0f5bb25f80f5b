/** Questions about tasks: which there are, what they answer, and what their arguments mean. */
@NullMarked
package joshua.tasks.query;

import org.jspecify.annotations.NullMarked;
