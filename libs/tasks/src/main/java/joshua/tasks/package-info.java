/**
 * Durable tasks, shared by Fiedler and Rogers: accepted at once, run under a lease, streamed,
 * followed by a notification, and resumed after a crash (REQ-FD-02, -04…-08, +FD-13).
 */
@NullMarked
package joshua.tasks;

import org.jspecify.annotations.NullMarked;
