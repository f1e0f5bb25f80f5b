/**
 * What a task is: its kind, its states, its request, its events, its outcome, its streamed text.
 */
@NullMarked
package joshua.tasks.model;

import org.jspecify.annotations.NullMarked;
