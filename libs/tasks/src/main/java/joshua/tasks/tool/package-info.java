/** The tools and resources about tasks, and the messages that ask for work. */
@NullMarked
package joshua.tasks.tool;

import org.jspecify.annotations.NullMarked;
