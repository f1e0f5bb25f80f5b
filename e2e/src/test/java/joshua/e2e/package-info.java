/**
 * Joshua as its users meet it: the built program in processes of its own, clients of other makes,
 * signals, and a Redis that dies.
 */
@NullMarked
package joshua.e2e;

import org.jspecify.annotations.NullMarked;
