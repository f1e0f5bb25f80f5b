/**
 * Runs tasks: takes leases, works, streams, publishes results, and repeats what a crash cut off.
 */
@NullMarked
package joshua.tasks.worker;

import org.jspecify.annotations.NullMarked;
