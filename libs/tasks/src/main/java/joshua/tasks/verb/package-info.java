/** The verbs about tasks, for administrators. */
@NullMarked
package joshua.tasks.verb;

import org.jspecify.annotations.NullMarked;
