/**
 * Durable tasks: accepted at once, run under a lease, streamed, told, and taken up again after a
 * crash (REQ-FD-02, -04…-08, +FD-13). What Fiedler and Rogers share.
 */
@NullMarked
package joshua.tasks;

import org.jspecify.annotations.NullMarked;
